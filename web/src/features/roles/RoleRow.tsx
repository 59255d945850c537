import { plural, t } from '@lingui/core/macro'
import { ChevronRight, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { Permissions, Role } from '~/core'
import { cx } from '~/ui/cx'
import { IconButton } from '~/ui/IconButton'

type Props = {
  role: Role
  isOpen: boolean
  may: Permissions
  onToggle: () => void
  onRename: () => void
  onDelete: () => void
  /** What shows while it is open. */
  children: ReactNode
}

/** A role in the list; opened it shows its matrix. */
export function RoleRow({ role, isOpen, may, onToggle, onRename, onDelete, children }: Props) {
  const id = useId()
  const [about, counts, panel] = [`${id}about`, `${id}counts`, `${id}panel`]
  return (
    <li>
      <div
        className={cx(
          'flex items-center gap-1 pr-2 transition-colors hover:bg-subtle/60',
          isOpen && 'bg-subtle/60',
        )}
      >
        <div
          title={isOpen ? undefined : role.description}
          className="relative flex min-h-16 min-w-0 flex-1 items-center gap-3 px-4 py-2.5"
        >
          <ChevronRight
            aria-hidden
            className={cx('size-4 shrink-0 text-muted transition-[rotate]', isOpen && 'rotate-90')}
          />
          <div className="grid min-w-0 flex-1 gap-x-4 [overflow-wrap:anywhere] md:grid-cols-[minmax(0,1fr)_auto]">
            <h2 className="font-medium">
              {/* Only the name is in the button, which fills the row: that is what it is called. */}
              <button
                type="button"
                aria-expanded={isOpen}
                aria-controls={isOpen ? panel : undefined}
                aria-describedby={`${about} ${counts}`}
                onClick={onToggle}
                className="max-w-full text-left outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent-text"
              >
                {role.name}
              </button>
            </h2>
            <p id={about} className={cx('text-muted md:row-start-2', !isOpen && 'line-clamp-2')}>
              {role.description}
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
        {may.can_update && (
          <IconButton
            label={t`Rename ${role.name}`}
            icon={<Pencil aria-hidden className="size-4.5" />}
            onClick={onRename}
          />
        )}
        {may.can_delete && (
          <IconButton
            label={t`Delete ${role.name}`}
            icon={<Trash2 aria-hidden className="size-4.5" />}
            onClick={onDelete}
          />
        )}
      </div>
      {isOpen && (
        <div id={panel} className="border-t border-line">
          {children}
        </div>
      )}
    </li>
  )
}
