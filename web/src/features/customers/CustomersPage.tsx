import { t } from '@lingui/core/macro'
import { SlidersHorizontal, Users } from 'lucide-react'
import { useRef, useState } from 'react'
import { type CustomerList, type CustomerSummary, type CustomerType, core } from '~/core'
import { problemOf } from '~/core/problem'
import { calendarDay } from '~/lib/format'
import { useKeptState } from '~/lib/keptState'
import { paths } from '~/lib/paths'
import { addressAfter, NO_FILTER, parametersOf } from '~/lib/query'
import { useTitle } from '~/lib/title'
import { customerTypeNames } from '~/lib/words'
import { DeleteRecordDialog } from '~/records/DeleteRecordDialog'
import { EmptyList } from '~/records/EmptyList'
import { FilterChips } from '~/records/FilterChips'
import { ActiveCount } from '~/records/filter/ActiveCount'
import { DuplicatesLink } from '~/records/merge/DuplicatesLink'
import { mayMergeRecords } from '~/records/merge/duplicates'
import { NothingFound, RecordList } from '~/records/RecordList'
import { DeleteButton, EditButton, widthOfButtons } from '~/records/RowActions'
import { useListRecords } from '~/records/useRecords'
import { Button } from '~/ui/Button'
import { NewButton } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { Panel } from '~/ui/Panel'
import { useTablet } from '~/ui/usePhone'
import { CustomerFacts } from './CustomerFacts'
import { CustomerForm } from './CustomerForm'
import { CustomerStats } from './CustomerStats'
import { columns } from './columns'
import { FilterForm } from './FilterForm'
import { kind } from './kind'
import { type CustomersQuery, customersParameters } from './query'

/** The page with the list of customers, and the number of customers by type of agreement above it. */
export function CustomersPage() {
  useTitle(t`Customers`)
  const customers = useListRecords<'customers', CustomersQuery, CustomerSummary, CustomerList>(kind)
  const { query, may, hasDraft, create, form, deletion, loaded } = customers
  const { outcome } = loaded
  const [expanded, setExpanded] = useKeptState<string | undefined>('expanded', undefined)
  const [isFiltering, setFiltering] = useState(false)
  const isNarrow = useTablet()
  const openFilters = () => setFiltering(true)
  const closeFilters = () => setFiltering(false)
  const filterButton = useRef<HTMLButtonElement>(null)
  const filters = filtersOf(query)
  const hasMessage = outcome?.ok === false && problemOf(outcome.error)?.message
  return (
    <Page
      title={t`Customers`}
      subtitle={t`The customers you sell to, buy from and broker for.`}
      actions={may.can_create && <NewButton label={t`New Customer`} hasDraft={hasDraft} onClick={create} />}
      more={mayMergeRecords(may) && <DuplicatesLink to={paths.duplicateCustomers} />}
    >
      <CustomerStats outcome={outcome} />
      <RecordList
        list="customers"
        records={customers}
        parameters={customersParameters(parametersOf(query))}
        bulk={{ nameOf: kind.nameOf, query: query.panel }}
        search={{
          label: t`Search by Name, Email, or Address`,
          children: !isNarrow && (
            <Button ref={filterButton} aria-haspopup="dialog" onClick={openFilters}>
              <SlidersHorizontal aria-hidden className="size-4" />
              {t`Filter`}
              {filters.length > 0 && <ActiveCount count={filters.length} />}
            </Button>
          ),
        }}
        filterPanel={{
          title: t`Type and date…`,
          active: filters.length,
          onOpen: openFilters,
          values: query.panel,
        }}
        label={t`Customers`}
        noun={kind.words.many}
        footerNoun={t({ message: 'items', context: 'customers' })}
        singularNoun={t({ message: 'item', context: 'customers' })}
        pageSize={core.recordPageSize('customers')}
        skeletonRows={5}
        loadFailed={
          hasMessage ? t`Failed to load customers.` : t`Failed to load customers. Please try again.`
        }
        forbidden={t`You don't have access to customers`}
        empty={
          query.search || filters.length > 0 ? (
            <NoMatch query={query} isFiltered={filters.length > 0} />
          ) : (
            <EmptyList
              icon={Users}
              title={t`No customers found.`}
              button={t`Add the first customer`}
              onCreate={may.can_create && create}
            >
              {may.can_create
                ? t`Add a customer to get started.`
                : t`Customers will appear here once they are added.`}
            </EmptyList>
          )
        }
        columns={columns}
        idOf={kind.idOf}
        actionsWidth={widthOfButtons(2)}
        actions={customer => (
          <>
            <EditButton records={customers} record={customer} label={t`Edit ${kind.nameOf(customer)}`} />
            <DeleteButton records={customers} record={customer} label={t`Delete ${kind.nameOf(customer)}`} />
          </>
        )}
        expand={{
          id: expanded,
          onToggle: id => setExpanded(expanded === id ? undefined : id),
          nameOf: kind.nameOf,
          detail: customer => (
            <CustomerFacts
              customer={customer}
              mayEdit={may.can_update ?? false}
              onEdit={() => customers.edit(customer)}
            />
          ),
        }}
      >
        <FilterChips
          filters={filters}
          onRemoved={() => (filterButton.current ?? customers.section.current)?.focus()}
        />
      </RecordList>
      <Panel open={isFiltering} title={t`Filter Customers`} onClose={closeFilters}>
        <FilterForm
          filter={query.panel}
          onApply={panel => customers.arrange({ panel })}
          onClose={closeFilters}
        />
      </Panel>
      {form && <CustomerForm {...form} />}
      {deletion && (
        <DeleteRecordDialog
          kind={kind}
          {...deletion}
          onDeleted={result => {
            setExpanded(undefined)
            deletion.onDeleted(result)
          }}
        />
      )}
    </Page>
  )
}

/** Returns the active filters of the panel, each with the URL of the list without that filter. */
function filtersOf(query: CustomersQuery) {
  const { typeAdv, ...dates } = query.panel
  const [fromDate, toDate] = [dates.fromDate, dates.toDate].map(date => date && calendarDay(date))
  const texts = {
    typeAdv: typeAdv && t`Type: ${customerTypeNames[typeAdv as CustomerType]}`,
    fromDate: fromDate && t`From: ${fromDate}`,
    toDate: toDate && t`To: ${toDate}`,
  }
  return Object.entries(texts).flatMap(([part, text]) => {
    const panel = { ...query.panel, [part]: '' }
    return text ? [{ text, to: addressAfter(kind, query, { panel }) }] : []
  })
}

function NoMatch({ query, isFiltered }: { query: CustomersQuery; isFiltered: boolean }) {
  const { search } = query
  const [clear, text] = !search
    ? [t`Clear filter`, t`No customers match the filter.`]
    : isFiltered
      ? [t`Clear search and filter`, t`No customers match both “${search}” and the filter.`]
      : [t`Clear search`, t`No name, number, email, address or telephone matches “${search}”.`]
  return (
    <NothingFound
      title={t`No customers found.`}
      clear={clear}
      to={addressAfter(kind, query, { search: '', panel: NO_FILTER })}
    >
      {text}
    </NothingFound>
  )
}
