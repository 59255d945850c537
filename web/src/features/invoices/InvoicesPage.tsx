import { t } from '@lingui/core/macro'
import { useCallback, useRef, useState } from 'react'
import { Outlet, useLoaderData, useMatch, useRevalidator } from 'react-router'
import type { Invoice } from '~/core'
import { useAfterDeletion } from '~/lib/deletion'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'
import { usePermissions } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { NewButton } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { SearchBox } from '~/ui/SearchBox'
import { DeleteInvoiceDialog } from './DeleteInvoiceDialog'
import { InvoiceForm } from './InvoiceForm'
import { InvoiceList } from './InvoiceList'
import type { invoicesLoader } from './loader'

/** The open dialog: a new invoice, one to edit, or one to delete. */
type Task = { kind: 'create' } | { kind: 'edit' | 'delete'; invoice: Invoice }

/** The invoices of the corporation. One that is looked at has an address of its own. */
export function InvoicesPage() {
  const isOneOpen = useMatch(`${paths.invoices}/:id`) !== null
  useTitle(isOneOpen ? t`Invoice Details` : t`Invoices Management`)
  const { query, coming } = useLoaderData<typeof invoicesLoader>()
  const list = useRef<HTMLElement>(null)
  const { shown, afterDeletion } = useAfterDeletion({
    loaded: useLoaded(coming),
    page: query.page,
    pagesOf: ({ totalPages }) => totalPages,
    to: page => listAddress(paths.invoices, { ...query, page }),
    list,
  })
  const { revalidate } = useRevalidator()
  const may = usePermissions(paths.invoices)
  const [task, setTask] = useState<Task>()
  const create = () => setTask({ kind: 'create' })
  const edit = useCallback((invoice: Invoice) => setTask({ kind: 'edit', invoice }), [])
  const remove = useCallback((invoice: Invoice) => setTask({ kind: 'delete', invoice }), [])
  const close = () => setTask(undefined)
  return (
    <Page
      title={t`Invoices Management`}
      subtitle={t`What your customers ordered, with dates and prices.`}
      actions={may.can_create && <NewButton label={t`Create New Invoice`} onClick={create} />}
    >
      <section
        ref={list}
        tabIndex={-1}
        aria-label={t`Invoices`}
        className="card overflow-hidden focus:outline-none"
      >
        <SearchBox
          label={t`Search invoices`}
          search={query.search}
          to={search => listAddress(paths.invoices, { page: 1, search })}
        />
        <InvoiceList
          query={query}
          loaded={shown}
          may={may}
          onCreate={create}
          onEdit={edit}
          onDelete={remove}
        />
      </section>
      {(task?.kind === 'create' || task?.kind === 'edit') && (
        <InvoiceForm
          invoice={task.kind === 'edit' ? task.invoice : undefined}
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
        <DeleteInvoiceDialog
          invoice={task.invoice}
          onClose={close}
          onDeleted={() => {
            close()
            afterDeletion()
          }}
        />
      )}
      <Outlet />
    </Page>
  )
}
