import { useId } from 'react'
import { type Action, core, type RoleResource } from '~/core'
import { Tick } from '~/ui/Tick'
import { boxName } from './actions'

type Props = {
  resource: RoleResource
  action: Action
  /** What the action is called, such as "View". */
  name: string
  /** The name stands beside the box, because no column says it. */
  named?: boolean
  readOnly: boolean
  onSet: (on: boolean) => void
}

/** One box of a matrix. The box of a resource with subresources sets theirs, and follows them. */
export function PermissionBox({ resource, action, name, named, readOnly, onSet }: Props) {
  const id = useId()
  const mark = core.permissionMark(resource, action)
  return (
    <label
      htmlFor={id}
      className={
        named
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
      {named && name}
    </label>
  )
}
