import { Upload } from 'lucide-react'
import { Link, useLoaderData } from 'react-router'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { usePermissions } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { buttonClass } from '~/ui/Button'
import { Page } from '~/ui/Page'
import { ImportList } from './ImportList'
import type { importsLoader } from './route'

/** Every file that contacts were imported from, and what became of its rows. */
export function ImportsPage() {
  useTitle('Imports')
  const { query, coming } = useLoaderData<typeof importsLoader>()
  const loaded = useLoaded(coming)
  const may = usePermissions(paths.contacts)
  return (
    <Page
      title="Imports"
      subtitle="Files that contacts were imported from, and what became of their rows."
      actions={
        may.can_create && (
          <Link to={paths.newImport} className={buttonClass('primary')}>
            <Upload aria-hidden className="size-4" />
            Import Contacts
          </Link>
        )
      }
    >
      <section aria-label="Imports" className="card overflow-hidden">
        <ImportList query={query} loaded={loaded} may={may} />
      </section>
    </Page>
  )
}
