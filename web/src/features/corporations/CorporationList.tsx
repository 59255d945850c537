import { t } from '@lingui/core/macro'
import { Building, SearchX } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { type Corporation, core, type CorporationList as List } from '~/core'
import type { Loaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { type ListQuery, listAddress } from '~/lib/query'
import { buttonClass } from '~/ui/Button'
import { EmptyPage } from '~/ui/EmptyPage'
import { ListFooter } from '~/ui/ListFooter'
import { LoadFailed } from '~/ui/LoadFailed'
import { SkeletonRows } from '~/ui/Skeleton'
import { State } from '~/ui/State'
import { CorporationTable } from './CorporationTable'

type Props = {
  query: ListQuery
  loaded: Loaded<List>
  /** The way to a first one, where there is none. */
  add: ReactNode
  onEdit?: (corporation: Corporation) => void
  onDelete?: (corporation: Corporation) => void
}

/** The corporations of a page, or what stands in their place. */
export function CorporationList({ query, loaded, add, onEdit, onDelete }: Props) {
  const { outcome, stale } = loaded
  const pageSize = core.corporationsPageSize()
  if (!outcome) return <SkeletonRows rows={pageSize} columns={4} />
  if (!outcome.ok) {
    return (
      <LoadFailed
        error={outcome.error}
        title={core.texts().corporations.loadFailed}
        forbidden={t`You don't have access to corporations`}
      />
    )
  }
  const { data, totalItems, totalPages } = outcome.value
  if (totalItems === 0) {
    return query.search ? (
      <NothingFound search={query.search} />
    ) : (
      <State icon={<Building className="size-6" />} title={t`No corporations found`} action={add} />
    )
  }
  const to = (page: number) => listAddress(paths.corporations, { ...query, page })
  return (
    <>
      {data.length > 0 ? (
        <CorporationTable corporations={data} stale={stale} onEdit={onEdit} onDelete={onDelete} />
      ) : (
        <EmptyPage totalPages={totalPages} first={to(1)} />
      )}
      <ListFooter
        page={query.page}
        pageSize={pageSize}
        totalPages={totalPages}
        total={totalItems}
        noun={t({ message: 'items', context: 'corporations' })}
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
      title={t`No corporations found`}
      action={
        <Link to={paths.corporations} className={buttonClass()}>
          {t`Clear search`}
        </Link>
      }
    >
      {t`No name, number, city, contact or email matches “${search}”.`}
    </State>
  )
}
