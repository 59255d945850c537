import { t } from '@lingui/core/macro'

/** The names of the kinds of records by resource, for the history's filter. */
export const kindNames: Record<string, string> = {
  contacts: t`Contacts`,
  customers: t`Customers`,
  invoices: t`Invoices`,
  vehicles: t`Vehicles`,
  agreements: t`Agreements`,
  'contacts.imports': t`Imports`,
  users: t`Users`,
  roles: t`Roles`,
  corporations: t`Corporations`,
}

/** The names of the actions, for the history's filter. */
export const actionNames: Record<string, string> = {
  created: t`Created`,
  updated: t`Changed`,
  deleted: t`Deleted`,
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
