import { t } from '@lingui/core/macro'
import { ChevronDown } from 'lucide-react'
import { Fragment, useId, useState } from 'react'
import { type Action, core, type RoleResource } from '~/core'
import { CheckboxInput } from '~/ui/CheckboxInput'
import { cx } from '~/ui/cx'
import { IconButton } from '~/ui/IconButton'
import { iconOf } from '~/ui/icons'
import { usePhone } from '~/ui/usePhone'
import { ACTIONS, boxName } from './actions'

type Props = {
  /** The role's name, which is part of the table's accessible name. */
  role: string
  matrix: RoleResource[]
  readOnly: boolean
  onSet: (resource: string, action: Action, on: boolean) => void
}

type MatrixAction = (typeof ACTIONS)[number]

/**
 * A table with a checkbox for each resource and action of a role. On a phone each resource is a group of checkboxes.
 */
export function PermissionMatrix({ role, matrix, readOnly, onSet }: Props) {
  const [collapsed, setCollapsed] = useState<readonly string[]>([])
  const phone = usePhone()
  const label = t`Permissions of ${role}`
  const isExpanded = ({ resource_id }: RoleResource) => !collapsed.includes(resource_id)
  const toggle = (resource: RoleResource) =>
    resource.has_subresources && (
      <IconButton
        label={isExpanded(resource) ? t`Collapse ${resource.title}` : t`Expand ${resource.title}`}
        aria-expanded={isExpanded(resource)}
        icon={
          <ChevronDown
            aria-hidden
            className={cx('size-4 transition-[rotate]', !isExpanded(resource) && '-rotate-90')}
          />
        }
        onClick={() =>
          setCollapsed(
            isExpanded(resource)
              ? [...collapsed, resource.resource_id]
              : collapsed.filter(id => id !== resource.resource_id),
          )
        }
      />
    )
  const box = (resource: RoleResource, action: MatrixAction, isLabelled = false) => (
    <PermissionBox {...{ resource, action, isLabelled, readOnly, onSet }} />
  )
  /** Returns the table's rows for a resource: itself and, unless it is collapsed, its subresources. */
  const lines = (resource: RoleResource) => [
    { resource, isSub: false },
    ...(isExpanded(resource) ? resource.subresources.map(sub => ({ resource: sub, isSub: true })) : []),
  ]

  if (phone) {
    return (
      <ul aria-label={label} className="divide-y divide-line">
        {matrix.map(parent => (
          <li key={parent.resource_id} className="px-4 py-2">
            {lines(parent).map(({ resource, isSub }) => (
              <div key={resource.resource_id} className={cx(isSub && 'mt-1 ml-2 border-l border-line pl-4')}>
                <div className="flex min-h-touch items-center justify-between gap-2">
                  <Name resource={resource} />
                  {toggle(resource)}
                </div>
                <div className="grid grid-cols-2">
                  {ACTIONS.map(action => (
                    <Fragment key={action[0]}>{box(resource, action, true)}</Fragment>
                  ))}
                </div>
              </div>
            ))}
          </li>
        ))}
      </ul>
    )
  }
  return (
    <table aria-label={label} className="w-full table-fixed text-left">
      <thead className="border-b border-line text-xs text-muted">
        <tr>
          <th scope="col" className="h-9 px-4 font-medium">
            {t`Resource`}
          </th>
          {ACTIONS.map(([action, name]) => (
            <th key={action} scope="col" className="w-20 text-center font-medium lg:w-24">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      {matrix.map(parent => (
        <tbody key={parent.resource_id} className="border-b border-line last:border-0">
          {lines(parent).map(({ resource, isSub }) => (
            <tr key={resource.resource_id} className="hover:bg-subtle/60">
              <th scope="row" className={cx('py-1 pr-2 font-normal', isSub ? 'pl-11' : 'pl-4')}>
                <span className="flex min-h-9 items-center gap-2">
                  <Name resource={resource} />
                  {toggle(resource)}
                </span>
              </th>
              {ACTIONS.map(action => (
                <td key={action[0]}>{box(resource, action)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  )
}

/** Shows a resource's icon, title and description. */
function Name({ resource: { title, description, icon } }: { resource: RoleResource }) {
  const Icon = iconOf(icon)
  return (
    <span className="flex min-w-0 items-center gap-3">
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="min-w-0">
        <span className="block font-medium">{title}</span>
        <span className="block text-xs text-muted">{description}</span>
      </span>
    </span>
  )
}

type BoxProps = Pick<Props, 'readOnly' | 'onSet'> & {
  resource: RoleResource
  action: MatrixAction
  /** Whether the action's name is shown beside the checkbox: on a phone, where there are no column headers. */
  isLabelled: boolean
}

/**
 * A checkbox of the matrix. For a resource with subresources, it sets and summarizes the checkboxes of the
 * subresources.
 */
function PermissionBox({ resource, action: [action, name], isLabelled, readOnly, onSet }: BoxProps) {
  const id = useId()
  const mark = core.permissionMark(resource, action)
  const next = core.nextPermission(resource, action)
  return (
    <label
      htmlFor={id}
      className={
        isLabelled
          ? 'flex min-h-touch cursor-pointer items-center gap-2.5 select-none has-disabled:cursor-default'
          : 'mx-auto flex size-9 cursor-pointer items-center justify-center has-disabled:cursor-default touch:size-touch'
      }
    >
      <CheckboxInput
        id={id}
        aria-label={boxName(name, resource)}
        checked={mark === 'on'}
        mixed={mark === 'mixed'}
        disabled={readOnly || next === undefined}
        onChange={() => onSet(resource.resource_id, action, next === true)}
      />
      {isLabelled && name}
    </label>
  )
}
