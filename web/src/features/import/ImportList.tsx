import { t } from '@lingui/core/macro'
import { FileSpreadsheet } from 'lucide-react'
import { useCallback } from 'react'
import { Link } from 'react-router'
import { core, type ImportSession, type ImportList as List, type Permissions } from '~/core'
import type { Loaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { type ListQuery, listAddress } from '~/lib/query'
import { buttonClass } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { EmptyPage } from '~/ui/EmptyPage'
import { ListFooter } from '~/ui/ListFooter'
import { LoadFailed } from '~/ui/LoadFailed'
import { SkeletonRows } from '~/ui/Skeleton'
import { State } from '~/ui/State'
import { ImportRow } from './ImportRow'

type Props = {
  query: ListQuery
  loaded: Loaded<List>
  /** The permissions on contacts. */
  may: Permissions
  mayDelete: boolean
  onDelete: (session: ImportSession) => void
}

export function ImportList({ query, loaded, may, mayDelete, onDelete }: Props) {
  const { outcome, stale } = loaded
  const { page } = query
  const find = useCallback(
    async (id: string) => {
      const { data } = await core.importList(page, core.importsPageSize())
      return data.find(({ sessionId }) => sessionId === id)
    },
    [page],
  )
  if (!outcome) return <SkeletonRows rows={8} columns={5} />
  if (!outcome.ok) {
    return (
      <LoadFailed
        error={outcome.error}
        title={core.texts().import.listFailed}
        forbidden={t`You don't have access to imports`}
      />
    )
  }
  const { data, pagination } = outcome.value
  const { currentPage, totalPages, totalImports } = pagination
  if (totalImports === 0) return <Empty mayCreate={may.can_create ?? false} />
  const to = (page: number) => listAddress(paths.imports, { ...query, page })
  return (
    <>
      {data.length > 0 ? (
        <ul
          aria-label={t`Imports`}
          aria-busy={stale}
          className={cx('divide-y divide-line transition-opacity duration-150', stale && 'opacity-50')}
        >
          {data.map(session => (
            <ImportRow
              key={session.sessionId}
              known={session}
              may={may}
              find={find}
              mayDelete={mayDelete}
              onDelete={onDelete}
            />
          ))}
        </ul>
      ) : (
        <EmptyPage totalPages={totalPages} first={to(1)} />
      )}
      <ListFooter
        page={currentPage}
        pageSize={core.importsPageSize()}
        totalPages={totalPages}
        total={totalImports}
        noun={t`imports`}
        numbering="three"
        to={to}
      />
    </>
  )
}

function Empty({ mayCreate }: { mayCreate: boolean }) {
  return (
    <State
      icon={<FileSpreadsheet className="size-6" />}
      title={t`No imports yet`}
      action={
        mayCreate && (
          <Link to={paths.newImport} className={buttonClass('primary')}>
            {t`Import the first file`}
          </Link>
        )
      }
    >
      {mayCreate
        ? t`Import contacts from a CSV or Excel file. Each import is listed here with its contacts and failed rows, which you can correct and import again.`
        : t`Imports will appear here once a file is imported.`}
    </State>
  )
}
