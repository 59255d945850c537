import { t } from '@lingui/core/macro'
import { SearchX, Users } from 'lucide-react'
import { Link } from 'react-router'
import { core, type CustomerList as List, type Permissions } from '~/core'
import type { Loaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { problemOf } from '~/lib/problem'
import { Button, buttonClass } from '~/ui/Button'
import { EmptyPage } from '~/ui/EmptyPage'
import { ListFooter } from '~/ui/ListFooter'
import { LoadFailed } from '~/ui/LoadFailed'
import { SkeletonRows } from '~/ui/Skeleton'
import { State } from '~/ui/State'
import { CustomerTable } from './CustomerTable'
import { type CustomersQuery, customersAddress } from './query'

type Props = {
  query: CustomersQuery
  loaded: Loaded<List>
  may: Permissions
  onCreate: () => void
} & Pick<Parameters<typeof CustomerTable>[0], 'opened' | 'onToggle' | 'onEdit' | 'onDelete'>

/** The customers of a page, or what stands in their place. */
export function CustomerList({ query, loaded, may, onCreate, ...row }: Props) {
  const { outcome, stale } = loaded
  const texts = core.texts().customers
  if (!outcome) return <SkeletonRows rows={5} columns={7} />
  if (!outcome.ok) {
    return (
      <LoadFailed
        error={outcome.error}
        title={problemOf(outcome.error)?.message ? texts.loadFailed : texts.loadFailedTryAgain}
        forbidden={t`You don't have access to customers`}
      />
    )
  }
  const { data, totalItems, totalPages } = outcome.value
  if (totalItems === 0) return <NoneFound query={query} mayCreate={may.can_create} onCreate={onCreate} />
  const to = (page: number) => customersAddress({ ...query, page })
  return (
    <>
      {data.length > 0 ? (
        <CustomerTable customers={data} stale={stale} may={may} {...row} />
      ) : (
        <EmptyPage totalPages={totalPages} first={to(1)} />
      )}
      <ListFooter
        page={query.page}
        pageSize={core.customersPageSize()}
        totalPages={totalPages}
        total={totalItems}
        noun={t({ message: 'items', context: 'customers' })}
        numbering="three"
        to={to}
      />
    </>
  )
}

type NoneFoundProps = { query: CustomersQuery; mayCreate: boolean | undefined; onCreate: () => void }

function NoneFound({ query: { search, filter }, mayCreate, onCreate }: NoneFoundProps) {
  const title = core.texts().customers.noneFound
  const isFiltered = Object.values(filter).some(part => part !== '')
  if (!search && !isFiltered) {
    return (
      <State
        icon={<Users className="size-6" />}
        title={title}
        action={
          mayCreate && (
            <Button kind="primary" onClick={onCreate}>
              {t`Add the first customer`}
            </Button>
          )
        }
      >
        {mayCreate ? t`Add a customer to get started.` : t`Customers will appear here once they are added.`}
      </State>
    )
  }
  return (
    <State
      icon={<SearchX className="size-6" />}
      title={title}
      action={
        <Link to={paths.customers} className={buttonClass()}>
          {search && isFiltered ? t`Clear search and filter` : search ? t`Clear search` : t`Clear filter`}
        </Link>
      }
    >
      {search && isFiltered
        ? t`No customers match both “${search}” and the filter.`
        : search
          ? t`No name, email or address matches “${search}”.`
          : t`No customers match the filter.`}
    </State>
  )
}
