import { t } from '@lingui/core/macro'
import { ArrowLeft, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Link, useLoaderData, useNavigate, useParams, useRevalidator } from 'react-router'
import { type Contact, core } from '~/core'
import type { AfterDeletion } from '~/lib/deletion'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { usePermissions } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { useOriginList } from '~/records/RecordLink'
import { Avatar } from '~/ui/Avatar'
import { Button, buttonClass } from '~/ui/Button'
import { LoadFailed } from '~/ui/LoadFailed'
import { runOnceSaved } from '~/ui/unsavedChanges'
import { Comments } from './Comments'
import { ContactDetails } from './ContactDetails'
import { ContactForm } from './ContactForm'
import { DeleteContactDialog } from './DeleteContactDialog'
import type { contactLoader } from './route'

/** One contact. Another one begins anew: nothing of the first is left on the screen. */
export function ContactPage() {
  const { id } = useParams()
  return <OneContact key={id} />
}

function OneContact() {
  const { promise } = useLoaderData<typeof contactLoader>()
  const { outcome } = useLoaded(promise)
  // What a call of this page answered last is newer than what was loaded before it.
  const [answered, setAnswered] = useState<{ after: typeof outcome; contact: Contact }>()
  const loaded = outcome?.ok ? outcome.value : undefined
  const contact = answered && answered.after === outcome ? answered.contact : loaded
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
        <Whole
          contact={contact}
          list={list}
          onChange={changed => setAnswered({ after: outcome, contact: changed })}
        />
      )}
      {outcome && !outcome.ok && (
        <LoadFailed
          whole
          error={outcome.error}
          title={core.texts().contacts.detailsLoadFailed}
          forbidden={t`You don't have access to this contact`}
        />
      )}
    </div>
  )
}

type WholeProps = { contact: Contact; list: string; onChange: (contact: Contact) => void }

function Whole({ contact, list, onChange }: WholeProps) {
  const may = usePermissions(paths.contacts)
  const [task, setTask] = useState<'edit' | 'delete'>()
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  const close = () => setTask(undefined)
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
            <Button onClick={() => setTask('edit')}>
              <Pencil aria-hidden className="size-4" />
              {t`Edit`}
            </Button>
          )}
          {may.can_delete && (
            <Button kind="danger" onClick={() => setTask('delete')}>
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
      {task === 'edit' && (
        <ContactForm
          record={contact}
          onClose={isStale => {
            close()
            // A comment that is being typed comes first.
            if (isStale) runOnceSaved(() => void revalidate())
          }}
          onSaved={changed => {
            close()
            onChange(changed)
          }}
        />
      )}
      {task === 'delete' && (
        <DeleteContactDialog
          record={contact}
          onClose={close}
          onDeleted={() => {
            close()
            const state: AfterDeletion = { afterDeletion: true }
            // In place of the contact that is gone: the way back leads to what is there.
            void navigate(list, { replace: true, state })
          }}
        />
      )}
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
