import { t } from '@lingui/core/macro'
import { core, type UserRole } from '~/core'
import { isForbidden, messageOf } from '~/core/problem'
import { useRequest } from '~/lib/request'
import { roleName } from '~/lib/words'
import type { Choice } from '~/ui/Select'

export type Roles = {
  state: 'loading' | 'known' | 'forbidden' | 'failed'
  choices: Choice<string>[]
  /** Why the roles could not be loaded. */
  message?: string
}

const listRoles = () => core.listRoles()

/**
 * Requests the roles of the corporation and returns those that the user may give to others as choices of a select. If
 * the user may not read roles, or the request fails, the choices are `known`, the roles of the users on the page.
 */
export function useRoles(known: UserRole[]): Roles {
  const { outcome } = useRequest(listRoles)
  if (outcome?.ok)
    return { state: 'known', choices: roleChoices(outcome.value.filter(role => role.can_assign)) }
  const choices = roleChoices(known)
  if (!outcome) return { state: 'loading', choices }
  if (isForbidden(outcome.error)) return { state: 'forbidden', choices }
  return { state: 'failed', choices, message: messageOf(outcome.error, t`Failed to load roles`) }
}

/** Returns the name of the role with this id; "Another role" if it isn't among `choices`, and '' for no id. */
export const nameOfRole = ({ choices }: Roles, id = '') =>
  choices.find(({ value }) => value === id)?.label ?? (id && t`Another role`)

/** Returns the roles as choices of a select, each role once, sorted by name. */
function roleChoices(roles: UserRole[]): Choice<string>[] {
  const names = new Map(roles.flatMap(({ role_id, name }) => (role_id ? [[role_id, name] as const] : [])))
  return [...names]
    .map(([value, name]) => ({ value, label: roleName(name) }))
    .sort((a, b) => a.label.localeCompare(b.label))
}
