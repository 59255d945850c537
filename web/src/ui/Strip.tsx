import type { ReactNode } from 'react'

type Props = {
  icon: ReactNode
  action?: ReactNode
  children: ReactNode
}

/** A message on every page, below the top bar. */
export function Strip({ icon, action, children }: Props) {
  return (
    <div className="border-b border-line bg-subtle">
      <div className="mx-auto flex min-h-11 w-full max-w-420 items-center gap-2.5 px-4 py-1.5 md:px-6">
        <span aria-hidden className="shrink-0 text-muted [&>svg]:size-4.5">
          {icon}
        </span>
        <p className="min-w-0 flex-1 [overflow-wrap:anywhere]">{children}</p>
        {action}
      </div>
    </div>
  )
}
