import { t } from '@lingui/core/macro'
import { Lock, Mail } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link } from 'react-router'
import { type ContactPerson, core } from '~/core'
import { textOf } from '~/language'
import { paths } from '~/lib/paths'
import { resourceTitle } from '~/lib/resources'
import { useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { buttonClass } from '~/ui/Button'
import { Page } from '~/ui/Page'
import { State } from '~/ui/State'

/** Returns the contact person for access, once loaded. */
function useContactPerson(): ContactPerson | undefined {
  const [person, setPerson] = useState<ContactPerson>()
  useEffect(() => {
    let isMounted = true
    core.getAllowedResources().then(
      ({ contact }) => isMounted && setPerson(contact),
      // The page also works without a contact person.
      () => undefined,
    )
    return () => {
      isMounted = false
    }
  }, [])
  return person
}

type Props = {
  title: string
  /** Roles give access to the page, although it belongs to no resource. */
  isInRoles?: boolean
}

/** Shown instead of a page that the user's role has no access to. */
export function ForbiddenPage({ title, isInRoles = false }: Props) {
  useTitle(title)
  const { resources } = useSession()
  // The shell shows an upgrade page for what only this corporation lacks. So a resource that is not allowed here is one of the
  // platform.
  const isAvailable =
    isInRoles ||
    resources.some(
      resource => resource.allowed && resourceTitle(resource.resource_id, resource.title) === title,
    )
  return (
    <Page title={title}>
      <div className="card">{isAvailable ? <NotInRole title={title} /> : <PlatformOnly title={title} />}</div>
    </Page>
  )
}

function NotInRole({ title }: { title: string }) {
  const { name, email } = useContactPerson() ?? {}
  return (
    <State
      icon={<Lock className="size-6" />}
      title={t`Your role doesn't include ${title}`}
      action={
        email && (
          <a href={`mailto:${email}`} className={buttonClass()}>
            <Mail aria-hidden className="size-4" />
            {t`Email ${name || email}`}
          </a>
        )
      }
    >
      {textOf(core.texts().general.notAllowed)}
    </State>
  )
}

function PlatformOnly({ title }: { title: string }) {
  return (
    <State
      icon={<Lock className="size-6" />}
      title={t`You don't have access to ${title}`}
      action={
        <Link to={paths.home} className={buttonClass('primary')}>
          {t`Go to the dashboard`}
        </Link>
      }
    >
      {t`Only platform administrators can open this page.`}
    </State>
  )
}
