import { useEffect, useState } from 'react'
import { type Action, core, type GrantInput, type Role, type RoleResource } from '~/core'
import { drafts } from '~/lib/drafts'
import { messageOf, problemOf } from '~/lib/problem'
import { toast } from '~/ui/Toasts'
import { ACTIONS } from './actions'
import { merge, type TheirBox } from './merge'

type Matrix = RoleResource[]

/** Work on the matrix of one role. */
type Draft = {
  roleId: string
  /** The version it is based on. */
  version: number
  /** The matrix as the server has it. */
  saved: Matrix
  matrix: Matrix
  /** What somebody else has set meanwhile. */
  theirs: TheirBox[]
}

/** How all boxes of a matrix stand. */
const boxes = (matrix: Matrix) =>
  matrix
    .flatMap(resource => [resource, ...resource.subresources])
    .flatMap(resource => ACTIONS.map(([action]) => core.permissionMark(resource, action)))
    .join()

const isChanged = ({ saved, matrix }: Draft) => saved !== matrix && boxes(saved) !== boxes(matrix)

const grantOf = ({ resource_id, route, permissions, subresources }: RoleResource): GrantInput => ({
  resource_id,
  route,
  ...permissions,
  subresources: subresources.map(grantOf),
})

const draftOf = (role: Role): Draft => {
  const saved = core.roleMatrix(role)
  return { roleId: role.role_id, version: role.version, saved, matrix: saved, theirs: [] }
}

/** The matrix with its resources called as they are now: kept work may have been begun in another language. */
const renamed = (matrix: Matrix, now: Matrix): Matrix =>
  matrix.map(resource => {
    const named = now.find(({ resource_id }) => resource_id === resource.resource_id)
    if (!named) return resource
    const { title, description } = named
    return {
      ...resource,
      title,
      description,
      subresources: renamed(resource.subresources, named.subresources),
    }
  })

const KEPT = 'matrix'

/** The work on one role's matrix at a time. It outlives a list that can't be loaded anew. */
export function useDraft() {
  const [draft, setDraft] = useState(() => drafts.read<Draft>(KEPT))
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const isDirty = draft !== undefined && isChanged(draft)

  useEffect(() => {
    if (draft && isDirty) drafts.save(KEPT, draft)
    else drafts.forget(KEPT)
  }, [draft, isDirty])
  useEffect(
    () => () => {
      if (core.hasSession()) drafts.forget(KEPT)
    },
    [],
  )

  /** The work on this role. What isn't changed gives way to what the server has. */
  const of = (role: Role): Draft => {
    const isWork = draft?.roleId === role.role_id && (isDirty || draft.version >= role.version)
    return isWork ? draft : draftOf(role)
  }

  return {
    isDirty,
    busy,
    error,
    /** The role that is worked on, if one is. */
    roleId: draft?.roleId,
    matrixOf: (role: Role) => renamed(of(role).matrix, core.roleMatrix(role)),
    theirs: draft?.theirs ?? [],

    set(role: Role, resource: string, action: Action, on: boolean) {
      const work = of(role)
      setDraft({ ...work, matrix: core.setPermission(work.matrix, resource, action, on) })
    },

    /** Saves the work. What was refused stays as it is, and is said in place. Is the list out of date then? */
    async save(): Promise<boolean> {
      if (!draft) return false
      const { roleId, version, matrix } = draft
      setBusy(true)
      setError(undefined)
      try {
        const role = await core.updatePermissions(roleId, { permissions: matrix.map(grantOf), version })
        const saved = draftOf(role)
        // What was set meanwhile isn't saved yet; and by now somebody may be at work on another role.
        setDraft(now => {
          if (now?.roleId !== roleId) return now
          return now.matrix === matrix ? saved : { ...saved, matrix: now.matrix }
        })
        toast.success(core.texts().roles.permissionsUpdated)
        return true
      } catch (thrown) {
        const present = problemOf(thrown)?.present as Role | undefined
        if (present) {
          setDraft(now => {
            if (now?.roleId !== roleId) return now
            const theirs = core.roleMatrix(present)
            const { matrix, boxes } = merge(now.saved, now.matrix, theirs)
            return { roleId, version: present.version, saved: theirs, matrix, theirs: boxes }
          })
        }
        setError(messageOf(thrown, core.texts().roles.permissionsUpdateFailed))
        return present !== undefined
      } finally {
        setBusy(false)
      }
    },

    /** The role got another name here and nothing else, which makes nobody's work on its matrix stale. */
    follow(before: Role, after: Role) {
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

export type DraftWork = ReturnType<typeof useDraft>
