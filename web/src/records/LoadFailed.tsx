import { CloudOff, Lock, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { isForbidden, isGone, isUnreachable, messageOf } from '~/core/problem'
import { RetryButton } from '~/ui/RetryButton'
import { State } from '~/ui/State'
import { HomeLink } from './HomeLink'

type Props = {
  error: unknown
  title: string
  /** The title if the user lacks permission (403). */
  forbidden: string
  /** Replaces the message of the error. */
  message?: string
  /** The message is all that the page shows, so its title is the page's heading. */
  whole?: boolean
  /** Shown in place of the "Try again" button. */
  action?: ReactNode
  /** A 403 needs no link to the dashboard: this is the dashboard, or the user can leave in another way. */
  hasExit?: boolean
}

/**
 * Shown in place of data that failed to load. Has a button to try again, except after a 404; after a 403 a link to the
 * dashboard instead.
 */
export function LoadFailed(props: Props) {
  const { error, title, forbidden, message = messageOf(error, ''), whole, action, hasExit } = props
  if (isForbidden(error)) {
    return (
      <State
        whole={whole}
        icon={<Lock className="size-6" />}
        title={forbidden}
        action={!hasExit && <HomeLink />}
      >
        {message}
      </State>
    )
  }
  return (
    <State
      urgent
      whole={whole}
      icon={isUnreachable(error) ? <CloudOff className="size-6" /> : <TriangleAlert className="size-6" />}
      title={title}
      action={action || (!isGone(error) && <RetryButton />)}
    >
      {message}
    </State>
  )
}
