import { t } from '@lingui/core/macro'
import type { Profile } from '~/core'
import { paths } from '~/lib/paths'
import type { MenuTarget } from './MenuLinks'

const settings: MenuTarget = { title: t`Profile`, route: paths.profile, icon: 'user-round' }
// Admins decide about modules. Other users get there by the upgrade banner.
const subscriptions: MenuTarget = { title: t`Subscriptions`, route: paths.subscriptions, icon: 'boxes' }

/** Pages that need no permission, in addition to the navigation's. */
export const accountPages = ({ type }: Profile) => [...(type === 'Admin' ? [subscriptions] : []), settings]
