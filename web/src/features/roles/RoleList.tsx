import { plural, t } from '@lingui/core/macro'
import { Shield } from 'lucide-react'
import type { ReactNode } from 'react'
import { core, type Role } from '~/core'
import type { Loaded, Outcome } from '~/lib/load'
import { paths } from '~/lib/paths'
import { roleDescription, roleName } from '~/lib/words'
import { EmptyList } from '~/records/EmptyList'
import { LoadFailed } from '~/records/LoadFailed'
import { NothingFound } from '~/records/RecordList'
import { cx } from '~/ui/cx'
import { SkeletonRows } from '~/ui/Skeleton'

type Props = {
  search: string
  loaded: Loaded<Outcome<Role[]>>
  mayCreate: boolean | undefined
  onCreate: () => void
  /** Renders the row of a role. */
  row: (role: Role) => ReactNode
}

/** The list of roles that match the search, or a message in its place. */
export function RoleList({ search, loaded, mayCreate, onCreate, row }: Props) {
  const { outcome, stale } = loaded
  if (!outcome) return <SkeletonRows rows={5} />
  if (!outcome.ok) {
    return (
      <LoadFailed
        error={outcome.error}
        title={t`Failed to load roles`}
        forbidden={t`You don't have access to roles`}
      />
    )
  }
  const roles = outcome.value
  const found = roles.filter(role => {
    const [name, description] = [roleName(role.name), roleDescription(role.description)]
    return core.roleMatches({ ...role, name, description }, search)
  })
  return (
    <>
      {/* The same region in all cases, because screen readers announce only changes of an existing one. */}
      <div role="status">
        {roles.length === 0 && (
          <EmptyList
            icon={Shield}
            title={t`No roles yet`}
            button={t`Create the first role`}
            onCreate={mayCreate && onCreate}
          >
            {t`A role controls what its users can see and do.`}
          </EmptyList>
        )}
        {roles.length > 0 && found.length === 0 && (
          <NothingFound title={t`No roles found matching your search`} to={paths.roles}>
            {t`No name or description matches “${search}”.`}
          </NothingFound>
        )}
        {found.length > 0 && (
          <p className="sr-only">{plural(found.length, { one: '# role', other: '# roles' })}</p>
        )}
      </div>
      {found.length > 0 && (
        <ul
          aria-label={t`Roles`}
          aria-busy={stale}
          className={cx('divide-y divide-line transition-opacity duration-150', stale && 'opacity-50')}
        >
          {found.map(row)}
        </ul>
      )}
    </>
  )
}
