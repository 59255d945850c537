import { Upload } from 'lucide-react'
import { useState } from 'react'
import { Link, useLoaderData, useRevalidator } from 'react-router'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'
import { usePermissions } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { Button, buttonClass } from '~/ui/Button'
import { Page } from '~/ui/Page'
import { SearchBox } from '~/ui/SearchBox'
import { ContactForm } from './ContactForm'
import { ContactList } from './ContactList'
import type { contactsLoader } from './route'

/** The address book. */
export function ContactsPage() {
  useTitle('Contacts')
  const { query, coming } = useLoaderData<typeof contactsLoader>()
  const loaded = useLoaded(coming)
  const { revalidate } = useRevalidator()
  const { can_create } = usePermissions(paths.contacts)
  const [creating, setCreating] = useState(false)
  const create = () => setCreating(true)
  return (
    <Page
      title="Contacts Management"
      subtitle="The people and companies that you deal with."
      actions={
        can_create && (
          <>
            <Link to={paths.newImport} className={buttonClass('secondary')}>
              <Upload aria-hidden className="size-4" />
              Import Contacts
            </Link>
            <Button kind="primary" onClick={create}>
              + Add New Contact
            </Button>
          </>
        )
      }
    >
      <section aria-label="Contacts" className="card overflow-hidden">
        <SearchBox
          label="Search contacts"
          search={query.search}
          to={search => listAddress(paths.contacts, { page: 1, search })}
        />
        <ContactList query={query} loaded={loaded} mayCreate={can_create ?? false} onCreate={create} />
      </section>
      {creating && <ContactForm onClose={() => setCreating(false)} onSaved={() => void revalidate()} />}
    </Page>
  )
}
