import { cx } from './cx'

const look =
  'inline-flex h-5 min-w-5 shrink-0 items-center justify-center rounded border border-current/35 px-1 font-sans text-xs leading-none font-medium'

export function Key({ children, className }: { children: string; className?: string }) {
  return <kbd className={cx(look, className)}>{children}</kbd>
}

/** A shortcut hint, hidden on touch devices. Decorative: `aria-keyshortcuts` announces the key. */
export function KeyHint({ keys, className }: { keys: string; className?: string }) {
  return (
    <span
      aria-hidden
      data-keys={keys}
      className={cx(look, 'before:content-[attr(data-keys)] max-md:hidden touch:hidden', className)}
    />
  )
}
