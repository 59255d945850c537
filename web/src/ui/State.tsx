import type { ReactNode } from 'react'

type Props = { icon: ReactNode; title: string; children?: ReactNode; action?: ReactNode; urgent?: boolean }

/** What stands where rows would be: nothing yet, nothing found, no permission, or an error. */
export function State({ icon, title, children, action, urgent }: Props) {
  return (
    <div role={urgent ? 'alert' : undefined} className="flex flex-col items-center px-6 py-14 text-center">
      <div
        aria-hidden
        className="mb-4 flex size-12 items-center justify-center rounded-full bg-subtle text-muted"
      >
        {icon}
      </div>
      <h2 className="text-base font-semibold">{title}</h2>
      {children && <div className="mt-1 max-w-md text-muted [overflow-wrap:anywhere]">{children}</div>}
      {action && <div className="mt-5 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
