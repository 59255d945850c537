import { Upload } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '~/lib/paths'
import { usePermissions } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { buttonClass } from '~/ui/Button'
import { Page } from '~/ui/Page'
import { State } from '~/ui/State'

/** Where the list of imports will stand; for now the way to a new one. */
export function ImportsPage() {
  useTitle('Imports')
  const { can_create } = usePermissions(paths.contacts)
  return (
    <Page title="Imports" subtitle="Files that contacts were imported from.">
      <div className="card">
        <State
          icon={<Upload className="size-6" />}
          title="The list of earlier imports is on its way"
          action={
            can_create && (
              <Link to={paths.newImport} className={buttonClass('primary')}>
                Import Contacts
              </Link>
            )
          }
        >
          It isn't part of this version yet. Every imported contact names its file under System Information.
        </State>
      </div>
    </Page>
  )
}
