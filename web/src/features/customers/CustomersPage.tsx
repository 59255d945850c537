import { t } from '@lingui/core/macro'
import { SlidersHorizontal } from 'lucide-react'
import { useCallback, useRef, useState } from 'react'
import { useLoaderData, useNavigate, useRevalidator } from 'react-router'
import type { CustomerSummary } from '~/core'
import { useAfterDeletion } from '~/lib/deletion'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { usePermissions } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { Button } from '~/ui/Button'
import { NewButton } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { SearchBox } from '~/ui/SearchBox'
import { CustomerForm } from './CustomerForm'
import { CustomerList } from './CustomerList'
import { CustomerStats } from './CustomerStats'
import { DeleteCustomerDialog } from './DeleteCustomerDialog'
import { FilterChips } from './FilterChips'
import { FilterPanel } from './FilterPanel'
import type { customersLoader } from './loader'
import { useOpened } from './opened'
import { customersAddress } from './query'

/** The open dialog: a new customer, one to edit, or one to delete. */
type Task = { kind: 'create' } | { kind: 'edit' | 'delete'; customer: CustomerSummary }

/** Whom the corporation sells to, buys from and brokers for. */
export function CustomersPage() {
  useTitle(t`Customers`)
  const { query, coming } = useLoaderData<typeof customersLoader>()
  const { revalidate } = useRevalidator()
  const navigate = useNavigate()
  const may = usePermissions(paths.customers)
  const [task, setTask] = useState<Task>()
  const [isFiltering, setFiltering] = useState(false)
  const list = useRef<HTMLElement>(null)
  const { shown, afterDeletion } = useAfterDeletion({
    loaded: useLoaded(coming),
    page: query.page,
    pagesOf: ({ totalPages }) => totalPages,
    to: page => customersAddress({ ...query, page }),
    list,
  })
  const [opened, setOpened] = useOpened(list, shown)
  const filterButton = useRef<HTMLButtonElement>(null)
  const create = () => setTask({ kind: 'create' })
  const edit = useCallback((customer: CustomerSummary) => setTask({ kind: 'edit', customer }), [])
  const remove = useCallback((customer: CustomerSummary) => setTask({ kind: 'delete', customer }), [])
  const close = () => setTask(undefined)
  const filters = Object.values(query.filter).filter(part => part !== '').length
  return (
    <Page
      title={t`Customers`}
      subtitle={t`The customers you sell to, buy from and broker for.`}
      actions={may.can_create && <NewButton label={t`New Customer`} onClick={create} />}
    >
      <CustomerStats outcome={shown.outcome} />
      <section
        ref={list}
        tabIndex={-1}
        aria-label={t`Customers`}
        className="card overflow-hidden focus:outline-none"
      >
        <SearchBox
          live
          label={t`Search by Name, Email, or Address`}
          search={query.search}
          to={search => customersAddress({ ...query, page: 1, search })}
        >
          <Button ref={filterButton} aria-haspopup="dialog" onClick={() => setFiltering(true)}>
            <SlidersHorizontal aria-hidden className="size-4" />
            {t`Filter`}
            {filters > 0 && (
              <span className="flex size-5 items-center justify-center rounded-full bg-fill text-xs text-on-fill tabular-nums">
                {filters}
                <span className="sr-only"> {t`active`}</span>
              </span>
            )}
          </Button>
        </SearchBox>
        <FilterChips query={query} onRemoved={() => filterButton.current?.focus()} />
        <CustomerList
          query={query}
          loaded={shown}
          may={may}
          onCreate={create}
          opened={opened}
          onToggle={id => setOpened(now => (now === id ? undefined : id))}
          onEdit={edit}
          onDelete={remove}
        />
      </section>
      <FilterPanel
        open={isFiltering}
        filter={query.filter}
        onApply={filter => void navigate(customersAddress({ ...query, page: 1, filter }))}
        onClose={() => setFiltering(false)}
      />
      {(task?.kind === 'create' || task?.kind === 'edit') && (
        <CustomerForm
          customer={task.kind === 'edit' ? task.customer : undefined}
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
        <DeleteCustomerDialog
          customer={task.customer}
          onClose={close}
          onDeleted={() => {
            close()
            setOpened(undefined)
            afterDeletion()
          }}
        />
      )}
    </Page>
  )
}
