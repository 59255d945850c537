import { t } from '@lingui/core/macro'
import type { Profile } from '~/core'
import { paths } from '~/lib/paths'
import type { MenuTarget } from './MenuLinks'

const settings: MenuTarget = { title: t`Profile`, route: paths.profile, icon: 'user-round' }
// For those who talk with the platform about it. Whoever else needs it is led there by the banner.
const subscriptions: MenuTarget = { title: t`Subscriptions`, route: paths.subscriptions, icon: 'boxes' }

/** The screens that need no permission, beside those of the navigation. */
export const ownScreens = ({ type }: Profile) => [...(type === 'Admin' ? [subscriptions] : []), settings]
