import { t } from '@lingui/core/macro'
import { site } from './site'

const least = site.rules?.passwordMin

/** How long a new password must be, where the server says so. */
export const passwordHelp = least === undefined ? undefined : t`At least ${least} characters`
