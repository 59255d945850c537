import { t } from '@lingui/core/macro'
import { useEffect, useRef } from 'react'
import { core, type Role } from '~/core'
import { roleName } from '~/lib/words'
import { Button } from '~/ui/Button'
import { bottomBar } from '~/ui/bottomBar'
import { cx } from '~/ui/cx'
import { ErrorNotice, Notice } from '~/ui/Notice'
import { ACTIONS } from './actions'
import { PermissionMatrix } from './PermissionMatrix'
import { type MatrixDraft, matrixOf } from './useMatrixDraft'

type Props = {
  role: Role
  draft: MatrixDraft
  readOnly: boolean
  onSave: () => void
  onDiscard: () => void
}

/**
 * The permission matrix of an expanded role, and the buttons that save or discard its changes. With unsaved
 * changes, the buttons stay at the bottom of the window, because the matrix can be longer. The error of a failed
 * save is shown with them, so that it is in view and the page doesn't scroll.
 */
export function RolePanel({ role, draft, readOnly, onSave, onDiscard }: Props) {
  const { isDirty, sideEffects, busy, error, theirs } = draft
  const matrix = readOnly ? matrixOf(role) : draft.matrixOf(role)
  const isLimited = matrix
    .flatMap(resource => [resource, ...resource.subresources])
    .some(resource => ACTIONS.some(([action]) => core.nextPermission(resource, action) === undefined))
  const hasTheirs = error !== undefined && theirs.length > 0
  const isSticky = isDirty || error !== undefined
  const isLost = readOnly && isDirty && draft.roleId === role.role_id
  const lost = useRef<HTMLDivElement>(null)
  // The button that was pressed is gone.
  useEffect(() => {
    if (isLost && document.activeElement === document.body) lost.current?.focus()
  }, [isLost])
  if (matrix.length === 0) {
    return (
      <p className="p-4 text-muted">
        {t`There are no permissions to set. Your corporation has no modules yet.`}
      </p>
    )
  }
  return (
    <>
      <PermissionMatrix
        role={roleName(role.name)}
        matrix={matrix}
        readOnly={readOnly}
        onSet={(resource, action, on) => draft.set(role, resource, action, on)}
      />
      {isLost && (
        <div ref={lost} tabIndex={-1} className="border-t border-line p-4 outline-none">
          <Notice kind="error" className="mb-4">
            {t`You can't change this role any more, so your changes can't be saved.`}
          </Notice>
          <Button onClick={onDiscard}>{t`Discard changes`}</Button>
        </div>
      )}
      {!readOnly && (
        <>
          {(hasTheirs || isLimited) && (
            <div className="grid gap-4 border-t border-line p-4">
              {hasTheirs && (
                <Notice kind="warning">
                  <p id="their-changes">{t`Changed meanwhile`}</p>
                  <ul aria-labelledby="their-changes" className="mt-1.5 list-disc pl-4 font-normal">
                    {theirs.map(({ name, on }) => (
                      <li key={name}>{on ? t`${name}: on` : t`${name}: off`}</li>
                    ))}
                  </ul>
                </Notice>
              )}
              {isLimited && (
                <p className="text-muted">{t`You can only grant permissions that you have yourself.`}</p>
              )}
            </div>
          )}
          <div
            ref={isSticky ? bottomBar : undefined}
            className={cx(
              'flex flex-wrap items-center justify-end gap-x-4 gap-y-2 border-t border-line bg-card px-4 py-3 low:py-1.5',
              isSticky && 'bottom-bar sticky bottom-(--covered) z-10 print:static',
            )}
          >
            <ErrorNotice className="basis-full" message={error} />
            {/* On a phone, where the bar covers a part of the matrix, its buttons say it. */}
            <p role="status" className="mr-auto text-muted max-md:sr-only">
              {isDirty && t`You have unsaved changes.`} <span className="sr-only">{sideEffects}</span>
            </p>
            {isDirty && !busy && (
              <Button kind="ghost" onClick={onDiscard}>
                {t`Discard changes`}
              </Button>
            )}
            <Button kind="primary" busy={busy} ariaDisabled={!isDirty} onClick={onSave}>
              {t`Save Changes`}
            </Button>
          </div>
        </>
      )}
    </>
  )
}
