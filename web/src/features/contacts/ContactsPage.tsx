import { t } from '@lingui/core/macro'
import { Upload } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import { Link, useLoaderData, useRevalidator } from 'react-router'
import type { ContactSummary } from '~/core'
import { useAfterDeletion } from '~/lib/deletion'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { usePermissions } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { buttonClass } from '~/ui/Button'
import { NewButton } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { SearchBox } from '~/ui/SearchBox'
import { ContactForm } from './ContactForm'
import { ContactList } from './ContactList'
import { DeleteContactDialog } from './DeleteContactDialog'
import { ImportChip } from './ImportChip'
import type { contactsLoader } from './loader'
import { contactsAddress } from './query'

/** The open dialog: a new contact, one to edit, or one to delete. */
type Task = { kind: 'create' } | { kind: 'edit' | 'delete'; contact: ContactSummary }

/** The address book. */
export function ContactsPage() {
  useTitle(t`Contacts`)
  const { query, coming } = useLoaderData<typeof contactsLoader>()
  const { revalidate } = useRevalidator()
  const may = usePermissions(paths.contacts)
  const [task, setTask] = useState<Task>()
  const create = () => setTask({ kind: 'create' })
  const edit = useCallback((contact: ContactSummary) => setTask({ kind: 'edit', contact }), [])
  const remove = useCallback((contact: ContactSummary) => setTask({ kind: 'delete', contact }), [])
  const close = () => setTask(undefined)
  const section = useRef<HTMLElement>(null)
  const { shown, afterDeletion } = useAfterDeletion({
    loaded: useLoaded(coming),
    page: query.page,
    pagesOf: ({ pagination }) => pagination.totalPages,
    to: page => contactsAddress({ ...query, page }),
    list: section,
  })
  return (
    <Page
      title={t`Contacts Management`}
      subtitle={t`The people and companies you work with.`}
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
            list={shown.outcome?.ok ? shown.outcome.value : undefined}
            mayImport={may.can_create ?? false}
            onRemoved={() => section.current?.focus()}
          />
        )}
        <ContactList
          query={query}
          loaded={shown}
          may={may}
          onCreate={create}
          onEdit={edit}
          onDelete={remove}
        />
      </section>
      {(task?.kind === 'create' || task?.kind === 'edit') && (
        <ContactForm
          contact={task.kind === 'edit' ? task.contact : undefined}
          onClose={isStale => {
            close()
            if (isStale) void revalidate()
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
            afterDeletion()
          }}
        />
      )}
    </Page>
  )
}
