import { Link } from 'react-router'
import type { MenuEntry } from '~/core'
import { iconOf } from '~/ui/icons'
import type { ariaCurrentFor } from './currentLink'

type Props = { entries: MenuEntry[]; markOf: ReturnType<typeof ariaCurrentFor>; onChoose: () => void }

/** The links of the phone navigation, one below the other. Subresources are grouped under their parent's title. */
export function PhoneLinks({ entries, markOf, onChoose }: Props) {
  return (
    <ul>
      {entries.map(({ resource_id, title, route, icon, subresources }) => {
        const Icon = iconOf(icon)
        return (
          <li key={resource_id}>
            {subresources.length > 0 ? (
              <>
                <div className="px-3 pt-3 pb-1 text-xs font-medium text-muted">{title}</div>
                <div className="pl-3">
                  <PhoneLinks entries={subresources} markOf={markOf} onChoose={onChoose} />
                </div>
              </>
            ) : (
              <Link
                to={route}
                aria-current={markOf(route)}
                onClick={onChoose}
                className="flex h-12 items-center gap-3 rounded-lg px-3 font-medium hover:bg-subtle aria-[current]:bg-soft aria-[current]:text-accent-text"
              >
                <Icon aria-hidden className="size-4.5" />
                {title}
              </Link>
            )}
          </li>
        )
      })}
    </ul>
  )
}
