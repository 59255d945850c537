import { t } from '@lingui/core/macro'
import { Upload } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { Link, useLoaderData, useNavigate, useRevalidator } from 'react-router'
import type { Contact } from '~/core'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { usePermissions } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { buttonClass } from '~/ui/Button'
import { NewButton } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { SearchBox } from '~/ui/SearchBox'
import { ContactForm } from './ContactForm'
import { useIsAfterDeletion } from './ContactLink'
import { ContactList } from './ContactList'
import { DeleteContactDialog } from './DeleteContactDialog'
import { ImportChip } from './ImportChip'
import { contactsAddress } from './query'
import type { contactsLoader } from './route'

/** The open dialog: a new contact, one to edit, or one to delete. */
type Task = { kind: 'create' } | { kind: 'edit' | 'delete'; contact: Contact }

/** The address book. */
export function ContactsPage() {
  useTitle(t`Contacts`)
  const { query, coming } = useLoaderData<typeof contactsLoader>()
  const loaded = useLoaded(coming)
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const may = usePermissions(paths.contacts)
  const [task, setTask] = useState<Task>()
  const create = () => setTask({ kind: 'create' })
  const edit = useCallback((contact: Contact) => setTask({ kind: 'edit', contact }), [])
  const remove = useCallback((contact: Contact) => setTask({ kind: 'delete', contact }), [])
  const close = () => setTask(undefined)
  const list = loaded.outcome?.ok ? loaded.outcome.value : undefined
  // Whoever deleted the last contact of the last page goes on at the page before.
  const [isAfterDeletion, setIsAfterDeletion] = useState(useIsAfterDeletion())
  const lastPage = Math.max(list?.pagination.totalPages ?? 1, 1)
  const isEmptied = isAfterDeletion && !loaded.stale && list?.data.length === 0 && query.page > lastPage
  useEffect(() => {
    if (isEmptied) void navigate(contactsAddress({ ...query, page: lastPage }), { replace: true })
  }, [isEmptied, lastPage, navigate, query])
  const section = useRef<HTMLElement>(null)
  return (
    <Page
      title={t`Contacts Management`}
      subtitle={t`The people and companies that you deal with.`}
      actions={
        may.can_create && (
          <>
            <Link to={paths.newImport} className={buttonClass('secondary')}>
              <Upload aria-hidden className="size-4" />
              {t`Import Contacts`}
            </Link>
            <NewButton label={t`+ Add New Contact`} does={t`Add New Contact`} onClick={create} />
          </>
        )
      }
    >
      <section
        ref={section}
        tabIndex={-1}
        aria-label={t`Contacts`}
        className="card overflow-hidden focus:outline-none"
      >
        <SearchBox
          label={t`Search contacts`}
          search={query.search}
          to={search => contactsAddress({ ...query, page: 1, search })}
        />
        {query.importBatchId && (
          <ImportChip
            query={query}
            list={list}
            mayImport={may.can_create ?? false}
            onRemoved={() => section.current?.focus()}
          />
        )}
        <ContactList
          query={query}
          loaded={loaded}
          may={may}
          onCreate={create}
          onEdit={edit}
          onDelete={remove}
        />
      </section>
      {(task?.kind === 'create' || task?.kind === 'edit') && (
        <ContactForm
          contact={task.kind === 'edit' ? task.contact : undefined}
          onClose={() => {
            close()
            // Perhaps somebody else has changed it too.
            if (task.kind === 'edit') void revalidate()
          }}
          onSaved={() => {
            close()
            void revalidate()
          }}
        />
      )}
      {task?.kind === 'delete' && (
        <DeleteContactDialog
          contact={task.contact}
          onClose={close}
          onDeleted={() => {
            close()
            setIsAfterDeletion(true)
            void revalidate()
          }}
        />
      )}
    </Page>
  )
}
