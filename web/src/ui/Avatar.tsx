import { cx } from './cx'
import { ImageWithFallback } from './ImageWithFallback'

const sizes = { small: 'size-8 text-xs', large: 'size-14 text-xl', huge: 'size-20 text-2xl' }

/** Returns the initials of the first and last word of a name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends
    .map(word => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

type Props = {
  name: string
  picture?: string
  size?: keyof typeof sizes
}

/**
 * A round picture of a user, or their initials. Hidden from screen readers, because the name is displayed next to it.
 */
export function Avatar({ name, picture, size = 'small' }: Props) {
  return (
    <span
      aria-hidden
      className={cx(
        'flex shrink-0 items-center justify-center overflow-hidden rounded-full bg-soft font-semibold text-accent-text select-none',
        sizes[size],
      )}
    >
      <ImageWithFallback src={picture} alt="" className="size-full object-cover">
        {/* As CSS content, so that the initials don't become part of the accessible name of a surrounding button. */}
        <span data-initials={initials(name)} className="before:content-[attr(data-initials)]" />
      </ImageWithFallback>
    </span>
  )
}
