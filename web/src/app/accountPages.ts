import { t } from '@lingui/core/macro'
import { core, type MenuEntry } from '~/core'
import { paths } from '~/lib/paths'
import type { Session } from '~/lib/session'
import type { MenuTarget } from './MenuLinks'

/** A page in the profile menu. The command palette also finds it by the words in `also`. */
type AccountPage = MenuTarget & { also?: string }

const settings: AccountPage = { title: t`Profile`, route: paths.profile, icon: 'user-round' }
// Only in the menu of Admins, who can ask the platform for more modules. All users can also open the page from the
// upgrade banner and the upgrade page.
const subscriptions: AccountPage = { title: t`Subscriptions`, route: paths.subscriptions, icon: 'boxes' }
const trash: AccountPage = {
  title: t`Trash`,
  route: paths.trash,
  icon: 'trash-2',
  also: t`deleted restore undo`,
}

const privacy: AccountPage = {
  title: t`Personal data`,
  route: paths.privacy,
  icon: 'fingerprint',
  also: t`gdpr privacy erase export person`,
}

/** Returns whether the user may open the page "Personal data": only administrators may. */
const mayOpenPrivacy = (profile: Session['profile']) => core.isAdministrator(profile.type)

/** Returns whether the user may open the trash: who may restore deleted records of at least one resource. */
export const mayOpenTrash = (resources: Session['resources']) => core.trashResources(resources).length > 0

/** Returns the pages in the profile menu that belong to no resource. */
export const accountPages = ({ profile, resources }: Session): AccountPage[] => [
  ...(profile.type === 'Admin' ? [subscriptions] : []),
  ...(mayOpenTrash(resources) ? [trash] : []),
  ...(mayOpenPrivacy(profile) ? [privacy] : []),
  settings,
]

/** Returns the account pages as entries of the phone navigation. */
export const accountEntries = (session: Session): MenuEntry[] =>
  accountPages(session).map(({ title, route, icon }) => ({
    resource_id: route,
    title,
    route,
    icon,
    subresources: [],
  }))
