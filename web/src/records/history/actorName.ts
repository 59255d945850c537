import { t } from '@lingui/core/macro'

/** Core's English names of actors without an account (history/text.rs and contacts/text.rs). */
const translated = new Map([
  ['Platform administrator', t`Platform administrator`],
  ['Deleted user', t`Deleted user`],
])

/** Returns the name of who made a change, in the app's language. */
export const actorName = ({ id, name }: { id: string; name: string }) =>
  (id === '' && translated.get(name)) || name
