import { t } from '@lingui/core/macro'
import { site } from './site'

const least = site.rules?.passwordMin

/** The help text with the minimum password length. Undefined if the page has no settings from the server. */
export const passwordHelp = least === undefined ? undefined : t`At least ${least} characters`
