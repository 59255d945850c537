import { useState } from 'react'

/** Props of the form of a record. */
export type FormDialog<R, Saved = unknown> = {
  /** The record to edit; undefined to create one. */
  record?: R
  /** The field that the form opens at; the first one by default. */
  startsAt?: string
  /** Called when the form is closed without saving. `isStale`: another user has changed the record meanwhile. */
  onClose: (isStale: boolean) => void
  onSaved: (saved: Saved) => void
}

/** Props of the dialog that deletes a record. */
export type DeletionDialog<R, Result = unknown> = {
  record: R
  onClose: () => void
  /** Called after the deletion. `result` is undefined if the response was lost. */
  onDeleted: (result: Result | undefined) => void
}

type Task<R> = { kind: 'form'; record?: R; startsAt?: string } | { kind: 'deletion'; record: R }

/**
 * Returns functions that open the dialogs of a list, and the props of the open dialog: at most one of `form` and
 * `deletion` is set. `reload` runs after a record was saved or turned out to be stale, `afterDeletion` after one was
 * deleted.
 */
export function useDialogs<R>(reload: (record?: R) => void, afterDeletion: (record?: R) => void) {
  const [task, setTask] = useState<Task<R>>()
  const close = () => setTask(undefined)
  const closeAnd = (run: () => void) => () => {
    close()
    run()
  }
  const reloadRecord = closeAnd(() => reload(task?.record))
  const form: FormDialog<R> = {
    record: task?.record,
    startsAt: task?.kind === 'form' ? task.startsAt : undefined,
    onClose: isStale => (isStale ? reloadRecord() : close()),
    onSaved: reloadRecord,
  }
  const onDeleted = closeAnd(() => afterDeletion(task?.record))
  const deletion: DeletionDialog<R> | undefined =
    task?.kind === 'deletion' ? { record: task.record, onClose: close, onDeleted } : undefined
  return {
    create: () => setTask({ kind: 'form' }),
    edit: (record: R, startsAt?: string) => setTask({ kind: 'form', record, startsAt }),
    remove: (record: R) => setTask({ kind: 'deletion', record }),
    form: task?.kind === 'form' ? form : undefined,
    deletion,
  }
}
