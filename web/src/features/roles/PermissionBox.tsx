import { useId } from 'react'
import { type Action, core, type RoleResource } from '~/core'
import { Tick } from '~/ui/Tick'
import { boxName } from './actions'

type Props = {
  resource: RoleResource
  action: Action
  /** Label of the action, such as "View". */
  name: string
  /** Shows the label beside the checkbox, because there is no column header. */
  isLabelled: boolean
  readOnly: boolean
  onSet: (on: boolean) => void
}

/** A checkbox of the matrix. That of a resource with subresources sets all of theirs, and shows their state. */
export function PermissionBox({ resource, action, name, isLabelled, readOnly, onSet }: Props) {
  const id = useId()
  const mark = core.permissionMark(resource, action)
  return (
    <label
      htmlFor={id}
      className={
        isLabelled
          ? 'flex min-h-11 cursor-pointer items-center gap-2.5 select-none has-disabled:cursor-default'
          : 'mx-auto flex size-9 cursor-pointer items-center justify-center has-disabled:cursor-default touch:size-11'
      }
    >
      <Tick
        id={id}
        aria-label={boxName(name, resource)}
        checked={mark === 'on'}
        mixed={mark === 'mixed'}
        disabled={readOnly}
        onChange={() => onSet(mark !== 'on')}
      />
      {isLabelled && name}
    </label>
  )
}
