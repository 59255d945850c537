import { plural, t } from '@lingui/core/macro'
import { ChevronRight } from 'lucide-react'
import { type ComponentProps, type ReactNode, type Ref, useId } from 'react'
import type { Role } from '~/core'
import { roleDescription, roleName } from '~/lib/words'
import { DeleteButton, EditButton } from '~/records/RowActions'
import { cx } from '~/ui/cx'

type Props = {
  role: Role
  isExpanded: boolean
  /** The button with the role's name, which expands the row. */
  button?: Ref<HTMLButtonElement>
  records: ComponentProps<typeof EditButton<Role>>['records']
  onToggle: () => void
  /** The detail panel of the expanded row. */
  children: ReactNode
}

/** A role in the list. Its row expands to the permission matrix. */
export function RoleRow({ role, isExpanded, button, records, onToggle, children }: Props) {
  const id = useId()
  const [description, counts, panel] = [`${id}description`, `${id}counts`, `${id}panel`]
  const name = roleName(role.name)
  return (
    <li>
      <div
        className={cx(
          'flex items-center gap-1 pr-2 transition-colors hover:bg-subtle/60',
          isExpanded && 'bg-subtle/60',
        )}
      >
        <div
          title={isExpanded ? undefined : roleDescription(role.description)}
          className="relative flex min-h-16 min-w-0 flex-1 items-center gap-3 px-4 py-2.5"
        >
          <ChevronRight
            aria-hidden
            className={cx('size-4 shrink-0 text-muted transition-[rotate]', isExpanded && 'rotate-90')}
          />
          <div className="grid min-w-0 flex-1 gap-x-4 [overflow-wrap:anywhere] md:grid-cols-[minmax(0,1fr)_auto]">
            <h2 className="font-medium">
              {/* The button covers the whole row, but contains only the role's name, which is its accessible name. */}
              <button
                ref={button}
                type="button"
                aria-expanded={isExpanded}
                aria-controls={isExpanded ? panel : undefined}
                aria-describedby={`${description} ${counts}`}
                onClick={onToggle}
                className="max-w-full text-left outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-text"
              >
                {name}
              </button>
            </h2>
            <p id={description} className={cx('text-muted md:row-start-2', !isExpanded && 'line-clamp-2')}>
              {roleDescription(role.description)}
            </p>
            <p
              id={counts}
              className="text-muted tabular-nums md:col-start-2 md:row-span-2 md:row-start-1 md:self-center"
            >
              {plural(role.permissionsCount, { one: '# resource', other: '# resources' })} ·{' '}
              {plural(role.usersCount, { one: '# user', other: '# users' })}
            </p>
          </div>
        </div>
        {role.can_update && (
          <>
            <EditButton records={records} record={role} label={t`Rename ${name}`} />
            <DeleteButton records={records} record={role} label={t`Delete ${name}`} />
          </>
        )}
      </div>
      {isExpanded && (
        <div id={panel} className="border-t border-line">
          {children}
        </div>
      )}
    </li>
  )
}
