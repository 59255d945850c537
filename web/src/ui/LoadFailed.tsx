import { CloudOff, Lock, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { messageOf, problemOf } from '~/core/problem'
import { RetryButton } from './RetryButton'
import { State } from './State'

type Props = {
  error: unknown
  title: string
  /** Title for a 403 response. */
  forbidden: string
  /** This is the whole page, so the title is its heading. */
  whole?: boolean
  /** Replaces the retry. */
  action?: ReactNode
}

/** Shown in place of data that failed to load. Offers a retry if that can help. */
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
