import { Hammer } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '~/lib/paths'
import { useTitle } from '~/lib/title'
import { buttonClass } from '~/ui/Button'
import { Page } from '~/ui/Page'
import { State } from '~/ui/State'

/** A screen that the navigation names and that isn't built yet. It says so. */
export function SoonPage({ title }: { title: string }) {
  useTitle(title)
  return (
    <Page title={title}>
      <div className="card">
        <State
          icon={<Hammer className="size-6" />}
          title="This screen is on its way"
          action={
            <Link to={paths.home} className={buttonClass('secondary')}>
              Back to the dashboard
            </Link>
          }
        >
          It isn't part of this version yet.
        </State>
      </div>
    </Page>
  )
}
