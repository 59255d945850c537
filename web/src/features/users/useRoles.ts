import { useEffect, useState } from 'react'
import { core, type UserRole } from '~/core'
import { problemOf, sentenceOf } from '~/lib/problem'
import type { Choice } from '~/ui/Select'

export type Roles =
  | { state: 'loading' | 'known' | 'forbidden'; choices: Choice<string>[] }
  | { state: 'failed'; choices: Choice<string>[]; message: string }

/**
 * The roles of the corporation. Whoever may not see them, or can't now, chooses among the roles that are known anyway:
 * those of the users in view.
 */
export function useRoles(known: UserRole[]): Roles {
  const [roles, setRoles] = useState<Roles>(() => ({ state: 'loading', choices: choicesOf(known) }))
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is known is known when the form opens.
  useEffect(() => {
    let live = true
    const fall = choicesOf(known)
    core.listRoles().then(
      all => live && setRoles({ state: 'known', choices: choicesOf(all) }),
      error => {
        if (!live) return
        if (problemOf(error)?.status === 403) setRoles({ state: 'forbidden', choices: fall })
        else
          setRoles({
            state: 'failed',
            choices: fall,
            message: sentenceOf(error, core.texts().roles.loadFailed),
          })
      },
    )
    return () => {
      live = false
    }
  }, [])
  return roles
}

/** Each role once, by its name. */
function choicesOf(roles: UserRole[]): Choice<string>[] {
  const names = new Map(roles.flatMap(({ role_id, name }) => (role_id ? [[role_id, name] as const] : [])))
  return [...names].map(([value, label]) => ({ value, label })).sort((a, b) => a.label.localeCompare(b.label))
}
