import type { ReactNode } from 'react'
import { Avatar } from '~/ui/Avatar'
import { NONE } from '~/ui/Card'

/** Renders a text that may be truncated, with the whole text as its tooltip; "N/A" if empty. */
export const text = (value: string | undefined, className?: string) =>
  value ? (
    <span title={value} className={className}>
      {value}
    </span>
  ) : (
    NONE
  )

/** Renders an avatar with the initials of `name`, followed by `children`. */
export const withAvatar = (name: string, children: ReactNode) => (
  <span className="flex min-w-0 items-center gap-3">
    <Avatar name={name} />
    {children}
  </span>
)
