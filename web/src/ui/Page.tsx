import type { ReactNode } from 'react'
import { cx } from './cx'
import { MoreMenu } from './MoreMenu'
import { usePhone } from './usePhone'

type Props = {
  title: string
  subtitle?: ReactNode
  back?: ReactNode
  actions?: ReactNode
  /** Less important actions, before the others; on a phone in a menu behind them. */
  more?: ReactNode
  /** The page fills the height of the window. */
  tall?: boolean
  children: ReactNode
}

export function Page({ title, subtitle, back, actions, more, tall, children }: Props) {
  const phone = usePhone()
  return (
    <div
      className={cx(
        'mx-auto w-full max-w-420 px-4 py-6 md:px-6 md:py-8 low:pt-2',
        tall && 'flex grow flex-col',
      )}
    >
      {back && <div className="mb-3 -ml-4 print:hidden">{back}</div>}
      <header className="mb-6 flex flex-wrap items-end justify-between gap-x-6 gap-y-4 low:mb-2">
        <div className="min-w-0">
          <h1 className="text-2xl leading-8 font-semibold tracking-tight [overflow-wrap:anywhere]">
            {title}
          </h1>
          {subtitle && <p className="mt-1 text-muted">{subtitle}</p>}
        </div>
        {(actions || more) && (
          <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1 print:hidden">
            {!phone && more}
            {actions}
            {phone && more && <MoreMenu>{more}</MoreMenu>}
          </div>
        )}
      </header>
      {children}
    </div>
  )
}
