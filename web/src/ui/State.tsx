import type { ReactNode } from 'react'

type Props = {
  icon: ReactNode
  title: string
  children?: ReactNode
  action?: ReactNode
  urgent?: boolean
  /** The message is all that the page shows, so its title is the page's heading. */
  whole?: boolean
}

/** Shown in place of content that is missing: says why, and what the user can do. */
export function State({ icon, title, children, action, urgent, whole }: Props) {
  const Title = whole ? 'h1' : 'h2'
  return (
    <div
      role={urgent ? 'alert' : undefined}
      className="flex flex-col items-center px-6 py-14 text-center in-[[role=dialog]]:py-4"
    >
      <div
        aria-hidden
        className="mb-4 flex size-12 items-center justify-center rounded-full bg-subtle text-muted"
      >
        {icon}
      </div>
      <Title className="text-base font-semibold">{title}</Title>
      {children && <div className="mt-1 max-w-md text-muted [overflow-wrap:anywhere]">{children}</div>}
      {action && <div className="mt-5 flex w-full flex-wrap justify-center gap-2">{action}</div>}
    </div>
  )
}
