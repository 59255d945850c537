import { t } from '@lingui/core/macro'
import { FileSpreadsheet, Upload } from 'lucide-react'
import { useCallback, useState } from 'react'
import { Link, useLoaderData } from 'react-router'
import { core, type LiveChange } from '~/core'
import { isRunningImport } from '~/lib/importStates'
import { paths } from '~/lib/paths'
import { usePermissions } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { ListSection } from '~/records/ListSection'
import { useRecords } from '~/records/useRecords'
import { buttonClass } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { NewLink } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { State } from '~/ui/State'
import { DeleteImportDialog } from './DeleteImportDialog'
import { ImportRow } from './ImportRow'
import type { importsLoader } from './loader'

export function ImportsPage() {
  useTitle(t`Imports`)
  const may = usePermissions(paths.contacts)
  const imports = useRecords({
    route: paths.imports,
    ...useLoaderData<Awaited<ReturnType<typeof importsLoader>>>(),
  })
  const { page } = imports.query
  const { outcome } = imports.loaded
  const running = outcome?.ok ? outcome.value.data.filter(isRunningImport) : []
  // The ids of imports that have ended, perhaps after the list was loaded. Only event handlers read them.
  const [ended] = useState(() => new Set<string>())
  const onEnded = useCallback((id: string) => ended.add(id), [ended])
  // The row of a running import shows its contacts as they are imported.
  const isShown = (by: string | undefined) =>
    running.some(({ userId, sessionId }) => userId === by && !ended.has(sessionId))
  const concerns = ({ resource, action, by }: LiveChange) =>
    resource === 'contacts.imports' || (resource === 'contacts' && action === 'imported' && !isShown(by))
  const find = useCallback(
    async (id: string) => {
      const { data } = await core.importList(page, core.importsPageSize())
      return data.find(({ sessionId }) => sessionId === id)
    },
    [page],
  )
  return (
    <Page
      title={t`Imports`}
      subtitle={t`Imported files and their results.`}
      actions={
        may.can_create && (
          <NewLink
            to={paths.newImport}
            label={t`Import Contacts`}
            icon={<Upload aria-hidden className="size-4" />}
          />
        )
      }
    >
      <ListSection
        records={imports}
        live={concerns}
        label={t`Imports`}
        noun={t`imports`}
        singularNoun={t`import`}
        pageSize={core.importsPageSize()}
        skeletonRows={8}
        loadFailed={t`Failed to load imports`}
        forbidden={t`You don't have access to imports`}
        empty={<NoImports mayCreate={may.can_create ?? false} />}
        rows={(sessions, stale) => (
          <ul
            aria-label={t`Imports`}
            aria-busy={stale}
            className={cx('divide-y divide-line transition-opacity duration-150', stale && 'opacity-50')}
          >
            {sessions.map(session => (
              <ImportRow
                key={session.sessionId}
                known={session}
                may={may}
                find={find}
                onEnded={onEnded}
                mayDelete={imports.may.can_delete ?? false}
                onDelete={imports.remove}
              />
            ))}
          </ul>
        )}
      />
      {imports.deletion && <DeleteImportDialog {...imports.deletion} />}
    </Page>
  )
}

function NoImports({ mayCreate }: { mayCreate: boolean }) {
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
        ? t`Import contacts from a CSV or Excel file. Each import is listed here with its contacts and its rows with problems, which you can correct and import again.`
        : t`Imports will appear here once a file is imported.`}
    </State>
  )
}
