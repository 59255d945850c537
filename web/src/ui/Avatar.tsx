import { cx } from './cx'
import { Loadable } from './Loadable'

const sizes = { small: 'size-8 text-xs', large: 'size-14 text-xl', huge: 'size-20 text-2xl' }

/** The first letters of the first and the last word of a name. */
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
  /** The link of the person's picture; empty or absent without one. */
  picture?: string
  size?: keyof typeof sizes
}

/** Somebody's picture in a circle, else their initials. An ornament: the name itself stands beside it. */
export function Avatar({ name, picture, size = 'small' }: Props) {
  return (
    <span
      aria-hidden
      className={cx(
        'flex shrink-0 items-center justify-center overflow-hidden rounded-full bg-soft font-semibold text-accent-text select-none',
        sizes[size],
      )}
    >
      <Loadable src={picture} alt="" className="size-full object-cover">
        {/* Drawn, so that no control that it stands in has them in its visible label. */}
        <span data-initials={initials(name)} className="before:content-[attr(data-initials)]" />
      </Loadable>
    </span>
  )
}
