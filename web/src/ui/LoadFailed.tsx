import { CloudOff, Lock, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf, problemOf } from '~/core/problem'
import { RetryButton } from './RetryButton'
import { State } from './State'

type Props = {
  error: unknown
  title: string
  /** The title if the user lacks permission (403). */
  forbidden: string
  /** The message is all that the page shows, so its title is the page's heading. */
  whole?: boolean
  /** Shown in place of the "Try again" button. */
  action?: ReactNode
}

/** Shown in place of data that failed to load. Has a button to try again, except after a 403 or 404 response. */
export function LoadFailed({ error, title, forbidden, whole, action }: Props) {
  const problem = problemOf(error)
  if (problem?.status === 403) {
    return (
      <State whole={whole} icon={<Lock className="size-6" />} title={forbidden}>
        {messageOf(error, '')}
      </State>
    )
  }
  return (
    <State
      urgent
      whole={whole}
      icon={problem?.status === 0 ? <CloudOff className="size-6" /> : <TriangleAlert className="size-6" />}
      title={title}
      action={action || (problem?.status !== 404 && <RetryButton />)}
    >
      {messageOf(error, '')}
    </State>
  )
}
