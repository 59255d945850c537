import { t } from '@lingui/core/macro'
import { Upload } from 'lucide-react'
import { useLoaderData } from 'react-router'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { usePermissions } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { NewLink } from '~/ui/NewButton'
import { Page } from '~/ui/Page'
import { ImportList } from './ImportList'
import type { importsLoader } from './route'

/** Every file that contacts were imported from, and what became of its rows. */
export function ImportsPage() {
  useTitle(t`Imports`)
  const { query, coming } = useLoaderData<typeof importsLoader>()
  const loaded = useLoaded(coming)
  const may = usePermissions(paths.contacts)
  return (
    <Page
      title={t`Imports`}
      subtitle={t`Files that contacts were imported from, and what became of their rows.`}
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
      <section aria-label={t`Imports`} className="card overflow-hidden">
        <ImportList query={query} loaded={loaded} may={may} />
      </section>
    </Page>
  )
}
