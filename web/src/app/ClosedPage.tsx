import { t } from '@lingui/core/macro'
import { Lock, Mail } from 'lucide-react'
import { useEffect, useState } from 'react'
import { type ContactPerson, core } from '~/core'
import { useTitle } from '~/lib/title'
import { buttonClass } from '~/ui/Button'
import { Page } from '~/ui/Page'
import { State } from '~/ui/State'

/** Whom to ask, once the server has said so. */
function useContactPerson(): ContactPerson | undefined {
  const [person, setPerson] = useState<ContactPerson>()
  useEffect(() => {
    let live = true
    core.getAllowedResources().then(
      ({ contact }) => live && setPerson(contact),
      // Without a name the sentence of the page has to do.
      () => undefined,
    )
    return () => {
      live = false
    }
  }, [])
  return person
}

/** Stands in place of the screens of a module that a person's role shows them nothing of. */
export function ClosedPage({ title }: { title: string }) {
  useTitle(title)
  const { name, email } = useContactPerson() ?? {}
  return (
    <Page title={title}>
      <div className="card">
        <State
          icon={<Lock className="size-6" />}
          title={t`Your role doesn't include ${title}`}
          action={
            email && (
              <a href={`mailto:${email}`} className={buttonClass()}>
                <Mail aria-hidden className="size-4" />
                {t`Write to ${name || email}`}
              </a>
            )
          }
        >
          {core.texts().general.notAllowed}
        </State>
      </div>
    </Page>
  )
}
