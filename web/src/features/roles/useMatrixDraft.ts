import { plural, t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { type Action, core, type GrantInput, type LastChange, type Role, type RoleResource } from '~/core'
import { messageOf, problemOf } from '~/core/problem'
import { locale, textOf } from '~/language'
import { drafts } from '~/lib/drafts'
import { localizeResource } from '~/lib/resources'
import { useSession } from '~/lib/session'
import { conflictText } from '~/records/Conflict'
import { toast } from '~/ui/Toasts'
import { ACTIONS } from './actions'
import { changes, merge, type TheirBox } from './merge'

type Matrix = RoleResource[]

/** The unsaved changes of a role's permission matrix. */
type Draft = {
  roleId: string
  /** The version of the role that the changes are based on. */
  version: number
  /** The matrix as it was last received from the server. */
  saved: Matrix
  matrix: Matrix
  /** The checkboxes that another user has changed since this user began. */
  theirs: TheirBox[]
}

/** Returns the states of all checkboxes as one text, for comparison. */
const statesOf = (matrix: Matrix) =>
  matrix
    .flatMap(resource => [resource, ...resource.subresources])
    .flatMap(resource => ACTIONS.map(([action]) => core.permissionMark(resource, action)))
    .join()

const grantOf = ({ resource_id, route, permissions, subresources }: RoleResource): GrantInput => ({
  resource_id,
  route,
  ...permissions,
  subresources: subresources.map(grantOf),
})

/** Returns the stored matrix of a role. */
export const matrixOf = (role: Role): Matrix => core.roleMatrix(role).map(localizeResource)

const draftOf = (role: Role): Draft => {
  const saved = matrixOf(role)
  return { roleId: role.role_id, version: role.version, saved, matrix: saved, theirs: [] }
}

/**
 * Returns `matrix` with the titles of `current`, because a stored draft may have been made in another language, and with
 * what the user may grant now. Without resources that the corporation may not use any more.
 */
const updated = (current: Matrix, matrix: Matrix): Matrix =>
  matrix.flatMap(resource => {
    const source = current.find(({ resource_id }) => resource_id === resource.resource_id)
    if (!source) return []
    const { title, description, grantable } = source
    const subresources = updated(source.subresources, resource.subresources)
    return [{ ...resource, title, description, grantable, subresources }]
  })

/** Returns whether a draft has changes in the resources of `current`. */
const isChanged = ({ saved, matrix }: Draft, current = matrix) =>
  saved !== matrix && statesOf(updated(current, saved)) !== statesOf(updated(current, matrix))

/** Says which other checkboxes have changed with the one that the user has set; empty if none has. */
function sideEffectsText(names: string[], on: boolean): string {
  if (names.length === 0) return ''
  const listed = new Intl.ListFormat(locale).format(names)
  return on
    ? plural(names.length, {
        one: `${listed} was also selected.`,
        other: `${listed} were also selected.`,
      })
    : plural(names.length, {
        one: `${listed} was also cleared.`,
        other: `${listed} were also cleared.`,
      })
}

/** Returns the current role if saving failed because another user has changed it. */
const presentRole = (thrown: unknown) =>
  problemOf(thrown)?.present as (Role & { last_change?: LastChange }) | undefined

const STORED = 'matrix'
const BAD_REQUEST = 400

/**
 * Returns the unsaved changes of a role's permission matrix, for one role at a time, and functions to change and save
 * them. `roles` are the current roles, once they have loaded: changes in a module that a role no longer has can't be
 * saved, so they don't count.
 */
export function useMatrixDraft(roles: Role[] | undefined) {
  const { profile } = useSession()
  const [draft, setDraft] = useState(() => drafts.read<Draft>(STORED))
  const [sideEffects, setSideEffects] = useState('')
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<{ text: string; isConflict: boolean }>()
  const changedRole = roles?.find(({ role_id }) => role_id === draft?.roleId)
  const isDirty = draft !== undefined && isChanged(draft, changedRole && matrixOf(changedRole))

  useEffect(() => {
    if (draft && isDirty) drafts.save(STORED, draft)
    else drafts.forget(STORED)
  }, [draft, isDirty])
  // Deletes the stored draft when the user leaves the page, unless the session has ended.
  useEffect(
    () => () => {
      if (core.hasSession()) drafts.forget(STORED)
    },
    [],
  )

  /** Returns the draft of a role: the one with unsaved changes, or else one with the role's current matrix. */
  const draftFor = (role: Role): Draft => {
    const isCurrent = draft?.roleId === role.role_id && (isDirty || draft.version >= role.version)
    return isCurrent ? draft : draftOf(role)
  }

  return {
    isDirty,
    /** What has changed with the checkbox that the user has set last. */
    sideEffects,
    busy,
    /** Why saving failed, until the user has undone the changes. */
    error: failure && draft && (isChanged(draft) || draft.theirs.length > 0) ? failure.text : undefined,
    /** The id of the role that has the draft; undefined if there is none. */
    roleId: draft?.roleId,
    matrixOf: (role: Role) => updated(matrixOf(role), draftFor(role).matrix),
    /** What another user has changed, if saving failed because of that. */
    theirs: (failure?.isConflict && draft?.theirs) || [],

    set(role: Role, resource: string, action: Action, on: boolean) {
      const current = draftFor(role)
      const matrix = updated(matrixOf(role), current.matrix)
      const next = core.setPermission(matrix, resource, action, on)
      setDraft({ ...current, matrix: next })
      const others = changes(matrix, next).filter(box => box.id !== resource || box.action !== action)
      const names = others.map(({ name }) => name)
      setSideEffects(sideEffectsText(names, on))
    },

    /**
     * Saves the changes. Returns whether the list has to be reloaded. On failure the changes stay and `error` says why.
     */
    async save(role: Role): Promise<boolean> {
      if (!draft) return false
      const { roleId, matrix } = draft
      const send = (current: Matrix, version: number) =>
        core.updatePermissions(roleId, { permissions: current.map(grantOf), version })
      /** Sends the changes again if the other user has changed none of the checkboxes, only the name or description. */
      const sendAgain = (thrown: unknown) => {
        const present = presentRole(thrown)
        const merged = present && merge(draft.saved, matrix, matrixOf(present))
        if (!merged || merged.boxes.length > 0) throw thrown
        return send(merged.matrix, present.version)
      }
      setBusy(true)
      setFailure(undefined)
      setSideEffects('')
      try {
        const sent = send(updated(matrixOf(role), matrix), draft.version)
        const saved = draftOf(await sent.catch(sendAgain))
        // While the role was being saved, the user may have changed more checkboxes, or opened another role.
        setDraft(now => {
          if (now?.roleId !== roleId) return now
          return now.matrix === matrix ? saved : { ...saved, matrix: now.matrix }
        })
        toast.success(textOf(core.texts().roles.permissionsUpdated))
        return true
      } catch (thrown) {
        const present = presentRole(thrown)
        if (present) {
          setDraft(now => {
            if (now?.roleId !== roleId) return now
            const theirs = matrixOf(present)
            const { matrix, boxes } = merge(now.saved, now.matrix, theirs)
            return { roleId, version: present.version, saved: theirs, matrix, theirs: boxes }
          })
        }
        setFailure({
          text: present
            ? conflictText(present.last_change, profile.id)
            : messageOf(thrown, t`Failed to update permissions`),
          isConflict: present !== undefined,
        })
        // After a 400, too: a resource may no longer be included for the corporation.
        return present !== undefined || problemOf(thrown)?.status === BAD_REQUEST
      } finally {
        setBusy(false)
      }
    },

    /**
     * Sets the draft's version after the form has saved the role's name, so that saving the draft doesn't conflict with
     * that.
     */
    adoptVersion(before: Role, after: Role) {
      const isOnlyNamed = after.version === before.version + 1
      setDraft(now =>
        isOnlyNamed && now?.roleId === before.role_id && now.version === before.version
          ? { ...now, version: after.version }
          : now,
      )
    },

    discard() {
      setDraft(undefined)
      setFailure(undefined)
      setSideEffects('')
    },
  }
}

export type MatrixDraft = ReturnType<typeof useMatrixDraft>
