import { plural, t } from '@lingui/core/macro'
import type { ChangedValue, HistoryEntry } from '~/core'
import type { Describe } from './describe'

/** Returns the sentence of an entry in which one field has changed, from its values after and before. */
type Write = (
  name: string,
  object: string,
  after: ChangedValue | undefined,
  before: ChangedValue | undefined,
) => string

const activation: Write = (name, object, after) =>
  after === true ? t`${name} activated ${object}` : t`${name} deactivated ${object}`

/** The change that names a user of another corporation, in the history of the platform. */
export const USER = 'user'

/** The sentences of fields that have their own, used if only this field has changed. */
const fieldSentences: Record<string, Write> = {
  password: (name, user) => t`${name} changed the password of ${user}`,
  picture: (name, user) => t`${name} changed the picture of ${user}`,
  google: (name, user) => t`${name} changed the sign-in with Google of ${user}`,
  banned: (name, user, after) =>
    after === true ? t`${name} banned ${user}` : t`${name} lifted the ban of ${user}`,
  is_active: activation,
  corp_active: activation,
  awaits_approval: (name, corporation) => t`${name} approved ${corporation}`,
  [USER]: (name, corporation) => t`${name} created a user of ${corporation}`,
  logo: (name, corporation) => t`${name} changed the logo of ${corporation}`,
  comments: (name, contact, after, before) => {
    if (!before) return t`${name} commented on ${contact}`
    return after ? t`${name} changed a comment on ${contact}` : t`${name} deleted a comment on ${contact}`
  },
  photos: (name, vehicle, after, before) =>
    Number(after ?? 0) > Number(before ?? 0)
      ? t`${name} added a photo of ${vehicle}`
      : t`${name} removed a photo of ${vehicle}`,
  photo_order: (name, vehicle) => t`${name} changed the order of the photos of ${vehicle}`,
}

/** The fields whose sentences depend on the values, so they are not used once these are erased. */
const valueFields = ['banned', 'is_active', 'corp_active', 'photos']

const isErased = (value: ChangedValue | undefined) =>
  typeof value === 'object' && value !== null && 'erased' in value

/** The sentences used instead if users change these fields of their own account. */
const ownSentences: Record<string, Write> = {
  password: name => t`${name} changed their password`,
  picture: name => t`${name} changed their picture`,
  google: name => t`${name} changed their sign-in with Google`,
}

/**
 * Returns the sentence of an update. `name` and `object` are placeholders for the actor's name and the object. Without
 * `describe`, it doesn't name the changed field.
 */
export function updateSentence(
  { resource, record_id, actor, changes }: HistoryEntry,
  describe: Describe | undefined,
  name: string,
  object: string,
): string {
  const isOwn = resource === 'users' && record_id === actor.id
  const isPermission = (field: string) => resource === 'roles' && field.startsWith('permissions.')
  const [first] = changes
  const count = changes.length
  if (first && changes.every(({ field }) => isPermission(field)))
    return t`${name} changed the permissions of ${object}`
  const isUnknown = first && valueFields.includes(first.field) && [first.before, first.after].some(isErased)
  const special = first && !isUnknown && (isOwn ? ownSentences : fieldSentences)[first.field]
  if (count === 1 && special) return special(name, object, first.after, first.before)
  if (first?.field === USER) return t`${name} changed a user of ${object}`
  if (!first || !describe) return isOwn ? t`${name} changed their account` : t`${name} changed ${object}`
  const field = describe(first.field).label
  if (isOwn) {
    return plural(count, {
      one: `${name} changed ${field} of their account`,
      other: `${name} changed # fields of their account`,
    })
  }
  return plural(count, {
    one: `${name} changed ${field} of ${object}`,
    other: `${name} changed # fields of ${object}`,
  })
}
