import { t } from '@lingui/core/macro'
import { FileQuestionMark } from 'lucide-react'
import { Link, useLocation } from 'react-router'
import { displayPath } from '~/lib/paths'
import { navigationOf } from '~/lib/resources'
import { useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { HomeLink } from '~/records/HomeLink'
import { buttonClass } from '~/ui/Button'
import { Page } from '~/ui/Page'
import { State } from '~/ui/State'
import { entriesWithPage } from './currentLink'

export function NotFound() {
  useTitle(t`Page not found`)
  const { resources } = useSession()
  const { pathname } = useLocation()
  const { main, profile } = navigationOf(resources)
  const nearest = entriesWithPage([...main, ...profile]).find(({ route }) => pathname.startsWith(`${route}/`))
  return (
    <Page title={t`Page not found`}>
      <div className="card">
        <State
          icon={<FileQuestionMark className="size-6" />}
          title={t`There is no page at ${displayPath(pathname)}`}
          action={
            <>
              {nearest && (
                <Link to={nearest.route} className={buttonClass('primary')}>
                  {t`Go to ${nearest.title}`}
                </Link>
              )}
              <HomeLink kind={nearest ? 'secondary' : 'primary'} />
            </>
          }
        >
          {t`Check the address, or use the menu to find what you're looking for.`}
        </State>
      </div>
    </Page>
  )
}
