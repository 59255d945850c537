import { ArrowRight, Contact, Upload } from 'lucide-react'
import { Link } from 'react-router'
import { paths } from '~/lib/paths'
import { usePermissions, useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { Page } from '~/ui/Page'
import { State } from '~/ui/State'

/** Where a person arrives: what they can do. */
export function HomePage() {
  useTitle('Dashboard')
  const { profile } = useSession()
  const { can_read, can_create } = usePermissions(paths.contacts)
  const doors = [
    {
      to: paths.contacts,
      icon: Contact,
      title: 'Contacts',
      text: 'Find a person or a company, and see how to reach them.',
      open: can_read,
    },
    {
      to: paths.newImport,
      icon: Upload,
      title: 'Import Contacts',
      text: 'Bring in a CSV or Excel file. It is checked row by row before anything is saved.',
      open: can_create,
    },
  ].filter(door => door.open)
  return (
    <Page
      title={profile.first_name ? `Welcome, ${profile.first_name}` : 'Welcome'}
      subtitle={`You are signed in for ${profile.corp.corp_name}.`}
    >
      {doors.length === 0 ? (
        <div className="card">
          <State icon={<Contact className="size-6" />} title="Nothing has been opened for you yet">
            Ask an administrator of your corporation for a role that lets you see your work.
          </State>
        </div>
      ) : (
        <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          {doors.map(({ to, icon: Icon, title, text }) => (
            <li key={to}>
              <Link
                to={to}
                className="card group flex h-full flex-col p-5 transition-colors hover:border-edge focus-visible:border-edge"
              >
                <span className="mb-4 flex size-10 items-center justify-center rounded-lg bg-soft text-accent-text">
                  <Icon aria-hidden className="size-5" />
                </span>
                <span className="flex items-center gap-1.5 text-base font-semibold">
                  {title}
                  <ArrowRight
                    aria-hidden
                    className="size-4 text-muted transition-[translate] group-hover:translate-x-0.5"
                  />
                </span>
                <span className="mt-1 text-muted">{text}</span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}
