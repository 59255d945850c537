import { t } from '@lingui/core/macro'
import { core } from '~/core'
import { paths } from '~/lib/paths'
import type { Session } from '~/lib/session'
import type { MenuTarget } from './MenuLinks'

/** A page of the user's menu. The palette also finds it by the words in `also`. */
type AccountPage = MenuTarget & { also?: string }

const settings: AccountPage = { title: t`Profile`, route: paths.profile, icon: 'user-round' }
// Admins decide about modules. Other users get there by the upgrade banner.
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

/** Returns whether the user administers the corporation. */
export const mayOpenPrivacy = (profile: Session['profile']) => core.maySetForAll(profile.type)

/** Returns whether the user may restore records of any resource. */
export const mayOpenTrash = (resources: Session['resources']) => core.trashResources(resources).length > 0

/** Returns the pages in the user's menu that belong to no resource. */
export const accountPages = ({ profile, resources }: Session): AccountPage[] => [
  ...(profile.type === 'Admin' ? [subscriptions] : []),
  ...(mayOpenTrash(resources) ? [trash] : []),
  ...(mayOpenPrivacy(profile) ? [privacy] : []),
  settings,
]
