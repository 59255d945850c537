import type { ReactNode, Ref } from 'react'
import { cx } from './cx'

type Props = { label: string; className?: string; ref?: Ref<HTMLElement>; children: ReactNode }

/** A part of the page that scrolls on its own; whoever has only a keyboard can go into it and scroll it too. */
export function ScrollRegion({ label, className, ref, children }: Props) {
  return (
    <section
      ref={ref}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: without it the keyboard could not scroll.
      tabIndex={0}
      className={cx('focus-visible:-outline-offset-2', className)}
    >
      {children}
    </section>
  )
}
