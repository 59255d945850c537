import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { cx } from './cx'

const kinds = {
  info: { icon: Info, look: 'bg-subtle text-ink', mark: 'text-muted' },
  success: { icon: CircleCheck, look: 'bg-success-soft text-success', mark: 'text-success' },
  warning: { icon: TriangleAlert, look: 'bg-warning-soft text-warning', mark: 'text-warning' },
  error: { icon: CircleAlert, look: 'bg-danger-soft text-danger', mark: 'text-danger' },
}

type Props = {
  kind: keyof typeof kinds
  title?: string
  /** The notice responds to a user action, so it is scrolled into view. */
  scrollsIntoView?: boolean
  className?: string
  children?: ReactNode
}

const scrollIntoView = (notice: HTMLElement | null) => notice?.scrollIntoView({ block: 'nearest' })

/** A message that stays on the page, unlike a toast. Screen readers announce errors immediately. */
export function Notice({ kind, title, scrollsIntoView, className, children }: Props) {
  const { icon: Icon, look, mark } = kinds[kind]
  return (
    <div
      ref={scrollsIntoView ? scrollIntoView : undefined}
      role={kind === 'error' ? 'alert' : undefined}
      className={cx(
        'flex scroll-my-20 items-start gap-2.5 rounded-lg px-3.5 py-2.5 font-medium',
        look,
        className,
      )}
    >
      <Icon aria-hidden className={cx('mt-0.5 size-4 shrink-0', mark)} />
      <div className="min-w-0 [overflow-wrap:anywhere]">
        {title && <p className="font-semibold">{title}</p>}
        {title && children ? <p className="mt-0.5 font-normal">{children}</p> : children}
      </div>
    </div>
  )
}

type ErrorProps = Pick<Props, 'title' | 'scrollsIntoView' | 'className'> & { message: string | undefined }

export function ErrorNotice({ message, ...props }: ErrorProps) {
  return (
    message && (
      <Notice kind="error" {...props}>
        {message}
      </Notice>
    )
  )
}
