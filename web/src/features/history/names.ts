import { t } from '@lingui/core/macro'
import { kinds } from '~/records/kinds'

/** Returns the name of a kind of record, for the history's filter. */
export const kindName = (resource: string) =>
  resource === 'contacts.imports' ? t`Imports` : (kinds.get(resource)?.title ?? resource)

/** The names of the actions, for the history's filter. */
export const actionNames: Record<string, string> = {
  created: t`Created`,
  updated: t`Changed`,
  deleted: t`Deleted`,
  declined: t`Declined sign-ups`,
  reverted: t`Undone changes`,
  merged: t`Merged`,
  unmerged: t`Undone merges`,
  restored: t`Restored`,
  purged: t`Permanently deleted`,
  imported: t({ message: 'Imported', context: 'action' }),
  exported: t`Exported`,
  erased: t`Personal data erased`,
  signed_in: t`Signed in`,
  signed_out: t`Signed out`,
}
