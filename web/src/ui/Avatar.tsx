import { cx } from './cx'

const sizes = { small: 'size-8 text-xs', large: 'size-14 text-xl' }

/** The first letters of the first and the last word of a name. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/)
  const ends = words.length > 1 ? [words[0], words.at(-1)] : words
  return ends
    .map(word => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}

/** Somebody's initials in a circle. An ornament: the name itself stands beside it. */
export function Avatar({ name, size = 'small' }: { name: string; size?: keyof typeof sizes }) {
  return (
    <span
      aria-hidden
      className={cx(
        'flex shrink-0 items-center justify-center rounded-full bg-soft font-semibold text-accent-text select-none',
        sizes[size],
      )}
    >
      {initials(name)}
    </span>
  )
}
