import { t } from '@lingui/core/macro'
import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { useLoaderData } from 'react-router'
import type { ImportSession } from '~/core'
import { useAfterDeletion } from '~/lib/deletion'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'
import { usePermissions } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { NewLink } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { DeleteImportDialog } from './DeleteImportDialog'
import { ImportList } from './ImportList'
import type { importsLoader } from './loader'

export function ImportsPage() {
  useTitle(t`Imports`)
  const { query, promise } = useLoaderData<typeof importsLoader>()
  const may = usePermissions(paths.contacts)
  const { can_delete = false } = usePermissions(paths.imports)
  const [toDelete, setToDelete] = useState<ImportSession>()
  const section = useRef<HTMLElement>(null)
  const { shown, afterDeletion } = useAfterDeletion({
    loaded: useLoaded(promise),
    page: query.page,
    pagesOf: ({ pagination }) => pagination.totalPages,
    to: page => listAddress(paths.imports, { ...query, page }),
    list: section,
  })
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
      <section
        ref={section}
        tabIndex={-1}
        aria-label={t`Imports`}
        className="card overflow-hidden focus:outline-none"
      >
        <ImportList query={query} loaded={shown} may={may} mayDelete={can_delete} onDelete={setToDelete} />
      </section>
      {toDelete && (
        <DeleteImportDialog
          session={toDelete}
          onClose={() => setToDelete(undefined)}
          onDeleted={afterDeletion}
        />
      )}
    </Page>
  )
}
