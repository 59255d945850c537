import { cx } from './cx'

const look =
  'inline-flex h-5 min-w-5 shrink-0 items-center justify-center rounded border border-current/35 px-1 font-sans text-xs leading-none font-medium'

/** A key of the keyboard. */
export function Key({ children, className }: { children: string; className?: string }) {
  return <kbd className={cx(look, className)}>{children}</kbd>
}

/**
 * A key beside what it does, where there is likely to be a keyboard. It is only drawn: it is no part of a button's words,
 * and `aria-keyshortcuts` says it.
 */
export function KeyHint({ keys, className }: { keys: string; className?: string }) {
  return (
    <span
      aria-hidden
      data-keys={keys}
      className={cx(look, 'before:content-[attr(data-keys)] max-md:hidden touch:hidden', className)}
    />
  )
}
