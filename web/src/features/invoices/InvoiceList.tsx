import { t } from '@lingui/core/macro'
import { ReceiptText, SearchX } from 'lucide-react'
import { Link } from 'react-router'
import { core, type Invoice, type InvoiceList as List, type Permissions } from '~/core'
import type { Loaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { type ListQuery, listAddress } from '~/lib/query'
import { Button, buttonClass } from '~/ui/Button'
import { EmptyPage } from '~/ui/EmptyPage'
import { ListFooter } from '~/ui/ListFooter'
import { LoadFailed } from '~/ui/LoadFailed'
import { SkeletonRows } from '~/ui/Skeleton'
import { State } from '~/ui/State'
import { InvoiceTable } from './InvoiceTable'

type Props = {
  query: ListQuery
  loaded: Loaded<List>
  may: Permissions
  onCreate: () => void
  onEdit: (invoice: Invoice) => void
  onDelete: (invoice: Invoice) => void
}

/** The invoices of a page, or what stands in their place. */
export function InvoiceList({ query, loaded, may, onCreate, onEdit, onDelete }: Props) {
  const { outcome, stale } = loaded
  const pageSize = core.invoicesPageSize()
  if (!outcome) return <SkeletonRows rows={pageSize} columns={8} />
  if (!outcome.ok) {
    return (
      <LoadFailed
        error={outcome.error}
        title={core.texts().invoices.loadFailed}
        forbidden={t`You don't have access to invoices`}
      />
    )
  }
  const { data, totalItems, totalPages } = outcome.value
  if (totalItems === 0) {
    return query.search ? (
      <NothingFound search={query.search} />
    ) : (
      <Empty mayCreate={may.can_create ?? false} onCreate={onCreate} />
    )
  }
  const to = (page: number) => listAddress(paths.invoices, { ...query, page })
  return (
    <>
      {data.length > 0 ? (
        <InvoiceTable invoices={data} stale={stale} may={may} onEdit={onEdit} onDelete={onDelete} />
      ) : (
        <EmptyPage totalPages={totalPages} first={to(1)} />
      )}
      <ListFooter
        page={query.page}
        pageSize={pageSize}
        totalPages={totalPages}
        total={totalItems}
        noun={t`invoices`}
        numbering="three"
        to={to}
      />
    </>
  )
}

function NothingFound({ search }: { search: string }) {
  return (
    <State
      icon={<SearchX className="size-6" />}
      title={core.texts().invoices.noneFound}
      action={
        <Link to={paths.invoices} className={buttonClass()}>
          {t`Clear search`}
        </Link>
      }
    >
      {t`No customer, website or email matches “${search}”.`}
    </State>
  )
}

function Empty({ mayCreate, onCreate }: { mayCreate: boolean; onCreate: () => void }) {
  return (
    <State
      icon={<ReceiptText className="size-6" />}
      title={core.texts().invoices.noneFound}
      action={
        mayCreate && (
          <Button kind="primary" onClick={onCreate}>
            {t`Create the first invoice`}
          </Button>
        )
      }
    >
      {t`Invoices will appear here once they are created.`}
    </State>
  )
}
