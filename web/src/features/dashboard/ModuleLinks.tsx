import { t } from '@lingui/core/macro'
import { ArrowRight, DoorClosed } from 'lucide-react'
import { useMemo } from 'react'
import { Link } from 'react-router'
import { navigationOf } from '~/lib/resources'
import { useSession } from '~/lib/session'
import { iconOf } from '~/ui/icons'
import { State } from '~/ui/State'

/** Links to the user's modules, shown to users who may see none of the dashboard's figures. */
export function ModuleLinks() {
  const { resources } = useSession()
  const modules = useMemo(() => {
    const { main, profile } = navigationOf(resources)
    return [...main, ...profile]
  }, [resources])
  if (modules.length === 0) {
    return (
      <div className="card">
        <State icon={<DoorClosed className="size-6" />} title={t`You don't have access to any modules yet`}>
          {t`Ask your administrator for a role with the access you need.`}
        </State>
      </div>
    )
  }
  return (
    <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {modules.map(({ resource_id, route, icon, title }) => {
        const Icon = iconOf(icon)
        return (
          <li key={resource_id}>
            <Link
              to={route}
              className="card group flex h-full items-center gap-4 p-5 text-base font-semibold transition-colors hover:border-edge"
            >
              <span className="flex size-10 items-center justify-center rounded-lg bg-soft text-accent-text">
                <Icon aria-hidden className="size-5" />
              </span>
              {title}
              <ArrowRight
                aria-hidden
                className="ml-auto size-4 text-muted transition-[translate] group-hover:translate-x-0.5"
              />
            </Link>
          </li>
        )
      })}
    </ul>
  )
}
