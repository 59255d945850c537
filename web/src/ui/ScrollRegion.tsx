import type { ReactNode, Ref } from 'react'
import { cx } from './cx'

type Props = { label: string; className?: string; ref?: Ref<HTMLElement>; children: ReactNode }

/** A scrollable region that keyboard users can focus and scroll. */
export function ScrollRegion({ label, className, ref, children }: Props) {
  return (
    <section
      ref={ref}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: keyboard users couldn't scroll it otherwise.
      tabIndex={0}
      className={cx('focus-visible:-outline-offset-2', className)}
    >
      {children}
    </section>
  )
}
