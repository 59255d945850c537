import { t } from '@lingui/core/macro'
import { Lock, Mail } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type ContactPerson, core } from '~/core'
import { textOf } from '~/language'
import { resourceTitle } from '~/lib/resources'
import { useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { HomeLink } from '~/records/HomeLink'
import { buttonClass } from '~/ui/Button'
import { Page } from '~/ui/Page'
import { State } from '~/ui/State'

/** Returns the person whom users can ask for access; undefined until loaded, and if there is none. */
function useContactPerson(): ContactPerson | undefined {
  const [person, setPerson] = useState<ContactPerson>()
  useEffect(() => {
    let isMounted = true
    core.getAllowedResources().then(
      ({ contact }) => isMounted && setPerson(contact),
      // A failure is ignored, because the page also works without a contact person.
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
  /** Who can open the page, if it belongs to no resource, so that no role names it. */
  audience?: string
}

/** Shown instead of a page that the user's role doesn't permit to open. */
export function ForbiddenPage({ title, audience }: Props) {
  useTitle(title)
  const { resources } = useSession()
  // For a module that the corporation could subscribe to, the shell shows an upgrade page instead. So a resource that
  // isn't allowed here is only for platform administrators.
  const isAvailable =
    audience !== undefined ||
    resources.some(
      resource => resource.allowed && resourceTitle(resource.resource_id, resource.title) === title,
    )
  return (
    <Page title={title}>
      <div className="card">
        {isAvailable ? <NotInRole title={title} audience={audience} /> : <PlatformOnly title={title} />}
      </div>
    </Page>
  )
}

function NotInRole({ title, audience }: Props) {
  const { name, email } = useContactPerson() ?? {}
  return (
    <State
      icon={<Lock className="size-6" />}
      title={audience ? t`You don't have access to ${title}` : t`Your role doesn't include ${title}`}
      action={
        // Below each other, so that the first does not move when the second appears.
        <div className="grid w-full justify-items-center gap-2">
          <HomeLink />
          {email && (
            <a href={`mailto:${email}`} className={buttonClass()}>
              <Mail aria-hidden className="size-4" />
              {t`Email ${name || email}`}
            </a>
          )}
        </div>
      }
    >
      {audience ?? textOf(core.texts().general.notAllowed)}
    </State>
  )
}

function PlatformOnly({ title }: { title: string }) {
  return (
    <State
      icon={<Lock className="size-6" />}
      title={t`You don't have access to ${title}`}
      action={<HomeLink />}
    >
      {t`Only platform administrators can open this page.`}
    </State>
  )
}
