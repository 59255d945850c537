import { t } from '@lingui/core/macro'
import { ArrowLeft, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useLoaderData, useNavigate, useParams, useRevalidator } from 'react-router'
import type { Contact } from '~/core'
import type { AfterDeletion } from '~/lib/deletion'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { usePermissions } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { useOriginList } from '~/records/RecordLink'
import { useDialogs } from '~/records/useDialogs'
import { Avatar } from '~/ui/Avatar'
import { Button, buttonClass } from '~/ui/Button'
import { LoadFailed } from '~/ui/LoadFailed'
import { runOnceSaved } from '~/ui/unsavedChanges'
import { Comments } from './Comments'
import { ContactDetails } from './ContactDetails'
import { ContactForm } from './ContactForm'
import { DeleteContactDialog } from './DeleteContactDialog'
import type { contactLoader } from './loader'

/** The page of a contact. The key resets its state when another contact is opened. */
export function ContactPage() {
  const { id } = useParams()
  return <ContactContent key={id} />
}

function ContactContent() {
  const { promise } = useLoaderData<typeof contactLoader>()
  const { outcome } = useLoaded(promise)
  // The response to a change is newer than the outcome that was loaded before it.
  const [changed, setChanged] = useState<{ after: typeof outcome; contact: Contact }>()
  const loaded = outcome?.ok ? outcome.value : undefined
  const contact = changed?.after === outcome ? changed?.contact : loaded
  const list = useOriginList() ?? paths.contacts
  useTitle(contact?.name ?? t`Contact`)
  return (
    <div className="mx-auto w-full max-w-7xl px-4 py-6 md:px-6 md:py-8">
      <Link to={list} className={buttonClass('ghost', '-ml-4 print:hidden')}>
        <ArrowLeft aria-hidden className="size-4" />
        {t`Contacts`}
      </Link>
      {!outcome && (
        <>
          <h1 className="sr-only">{t`Contact`}</h1>
          <Skeleton />
        </>
      )}
      {contact && (
        <LoadedContact
          contact={contact}
          list={list}
          onChange={contact => setChanged({ after: outcome, contact })}
        />
      )}
      {outcome && !outcome.ok && (
        <LoadFailed
          whole
          error={outcome.error}
          title={t`Failed to load contact details`}
          forbidden={t`You don't have access to this contact`}
        />
      )}
    </div>
  )
}

type LoadedProps = { contact: Contact; list: string; onChange: (contact: Contact) => void }

function LoadedContact({ contact, list, onChange }: LoadedProps) {
  const may = usePermissions(paths.contacts)
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const afterDeletion: AfterDeletion = { afterDeletion: true }
  const { edit, remove, form, deletion } = useDialogs<Contact>(
    // After a comment that is being written has been saved or discarded.
    () => runOnceSaved(() => void revalidate()),
    // Replaces the deleted contact in the history.
    () => void navigate(list, { replace: true, state: afterDeletion }),
  )
  return (
    <>
      <header className="mt-3 mb-6 flex flex-wrap items-center gap-x-6 gap-y-4">
        <div className="flex min-w-0 flex-1 basis-60 items-center gap-4">
          <Avatar name={contact.name} size="large" />
          <h1 className="min-w-0 text-2xl leading-8 font-semibold tracking-tight [overflow-wrap:anywhere]">
            {contact.name}
          </h1>
        </div>
        <div className="flex flex-wrap gap-2 max-sm:w-full max-sm:*:flex-1 print:hidden">
          {may.can_update && (
            <Button onClick={() => edit(contact)}>
              <Pencil aria-hidden className="size-4" />
              {t`Edit`}
            </Button>
          )}
          {may.can_delete && (
            <Button kind="danger" onClick={() => remove(contact)}>
              <Trash2 aria-hidden className="size-4" />
              {t`Delete`}
            </Button>
          )}
        </div>
      </header>
      <ContactDetails
        contact={contact}
        comments={<Comments contact={contact} mayDelete={may.can_delete ?? false} onChange={onChange} />}
      />
      {form && (
        <ContactForm
          {...form}
          record={contact}
          onSaved={saved => {
            form.onClose(false)
            onChange(saved)
          }}
        />
      )}
      {deletion && <DeleteContactDialog {...deletion} />}
    </>
  )
}

function Skeleton() {
  return (
    <div role="status" className="mt-4">
      <span className="sr-only">{t`Loading`}</span>
      <div aria-hidden className="flex items-center gap-4">
        <div className="skeleton size-14 rounded-full" />
        <div className="skeleton h-7 w-56" />
      </div>
      <div aria-hidden className="mt-6 grid gap-4 lg:grid-cols-2">
        <div className="skeleton h-44 rounded-xl" />
        <div className="skeleton h-44 rounded-xl" />
      </div>
    </div>
  )
}
