import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { type Action, core, type GrantInput, type Role, type RoleResource } from '~/core'
import { messageOf, problemOf } from '~/core/problem'
import { textOf } from '~/language'
import { drafts } from '~/lib/drafts'
import { localizeResource } from '~/lib/resources'
import { toast } from '~/ui/Toasts'
import { ACTIONS } from './actions'
import { merge, type TheirBox } from './merge'

type Matrix = RoleResource[]

/** Unsaved changes of a role's matrix. */
type Draft = {
  roleId: string
  /** The version of the role that the changes are based on. */
  version: number
  /** The matrix as saved on the server. */
  saved: Matrix
  matrix: Matrix
  /** Checkboxes that another user has changed meanwhile. */
  theirs: TheirBox[]
}

/** Returns the states of all checkboxes, for comparison. */
const statesOf = (matrix: Matrix) =>
  matrix
    .flatMap(resource => [resource, ...resource.subresources])
    .flatMap(resource => ACTIONS.map(([action]) => core.permissionMark(resource, action)))
    .join()

const isChanged = ({ saved, matrix }: Draft) => saved !== matrix && statesOf(saved) !== statesOf(matrix)

const grantOf = ({ resource_id, route, permissions, subresources }: RoleResource): GrantInput => ({
  resource_id,
  route,
  ...permissions,
  subresources: subresources.map(grantOf),
})

const matrixOf = (role: Role): Matrix => core.roleMatrix(role).map(localizeResource)

const draftOf = (role: Role): Draft => {
  const saved = matrixOf(role)
  return { roleId: role.role_id, version: role.version, saved, matrix: saved, theirs: [] }
}

/** Returns the matrix with the titles of `current`: a stored draft may be in another language. */
const withTitlesOf = (current: Matrix, matrix: Matrix): Matrix =>
  matrix.map(resource => {
    const source = current.find(({ resource_id }) => resource_id === resource.resource_id)
    if (!source) return resource
    const { title, description } = source
    return {
      ...resource,
      title,
      description,
      subresources: withTitlesOf(source.subresources, resource.subresources),
    }
  })

const STORED = 'matrix'

/** Stores the unsaved changes of one role's matrix at a time, also while the list fails to reload. */
export function useMatrixDraft() {
  const [draft, setDraft] = useState(() => drafts.read<Draft>(STORED))
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const isDirty = draft !== undefined && isChanged(draft)

  useEffect(() => {
    if (draft && isDirty) drafts.save(STORED, draft)
    else drafts.forget(STORED)
  }, [draft, isDirty])
  // Leaving the page discards the changes, unless the session ended.
  useEffect(
    () => () => {
      if (core.hasSession()) drafts.forget(STORED)
    },
    [],
  )

  /** Returns the draft of a role. Without changes, a newer version from the server replaces it. */
  const draftFor = (role: Role): Draft => {
    const isCurrent = draft?.roleId === role.role_id && (isDirty || draft.version >= role.version)
    return isCurrent ? draft : draftOf(role)
  }

  return {
    isDirty,
    busy,
    error,
    /** The role with the draft, if there is one. */
    roleId: draft?.roleId,
    matrixOf: (role: Role) => withTitlesOf(matrixOf(role), draftFor(role).matrix),
    theirs: draft?.theirs ?? [],

    set(role: Role, resource: string, action: Action, on: boolean) {
      const current = draftFor(role)
      setDraft({ ...current, matrix: core.setPermission(current.matrix, resource, action, on) })
    },

    /** Saves the changes. Returns whether the list is out of date. On failure the changes stay and `error` is set. */
    async save(): Promise<boolean> {
      if (!draft) return false
      const { roleId, version, matrix } = draft
      setBusy(true)
      setError(undefined)
      try {
        const role = await core.updatePermissions(roleId, { permissions: matrix.map(grantOf), version })
        const saved = draftOf(role)
        // The user may have changed more checkboxes, or switched to another role, while it was saved.
        setDraft(now => {
          if (now?.roleId !== roleId) return now
          return now.matrix === matrix ? saved : { ...saved, matrix: now.matrix }
        })
        toast.success(textOf(core.texts().roles.permissionsUpdated))
        return true
      } catch (thrown) {
        const present = problemOf(thrown)?.present as Role | undefined
        if (present) {
          setDraft(now => {
            if (now?.roleId !== roleId) return now
            const theirs = matrixOf(present)
            const { matrix, boxes } = merge(now.saved, now.matrix, theirs)
            return { roleId, version: present.version, saved: theirs, matrix, theirs: boxes }
          })
        }
        setError(messageOf(thrown, t`Failed to update permissions`))
        return present !== undefined
      } finally {
        setBusy(false)
      }
    },

    /** Adopts the version of a role that was only renamed here, so that its draft doesn't conflict. */
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
      setError(undefined)
    },
  }
}

export type MatrixDraft = ReturnType<typeof useMatrixDraft>
