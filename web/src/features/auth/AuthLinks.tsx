import { t } from '@lingui/core/macro'
import { ArrowLeft, ExternalLink } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { paths } from '~/lib/paths'
import { site } from '~/lib/site'
import { buttonClass } from '~/ui/Button'

type Props = { to?: string; replace?: boolean; children?: ReactNode }

/** A link with an arrow back to the login page, or to the URL `to`. */
export function BackLink({ to = paths.login, replace, children = t`Back to sign in` }: Props) {
  return (
    <Link to={to} replace={replace} className={buttonClass('ghost', 'w-full')}>
      <ArrowLeft aria-hidden className="size-4" />
      {children}
    </Link>
  )
}

/** A link to the demo's mailbox, if this is the demo. */
export function MailboxLink() {
  if (!site.mailbox) return null
  return (
    <a href={site.mailbox} target="_blank" rel="noreferrer" className={buttonClass('secondary', 'w-full')}>
      {t`Demo: open the mailbox`}
      <ExternalLink aria-hidden className="size-4" />
    </a>
  )
}
