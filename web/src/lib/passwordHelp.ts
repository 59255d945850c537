import { t } from '@lingui/core/macro'
import { site } from './site'

const least = site.rules?.passwordMin

/** A text with the minimum password length, if the server provides it. */
export const passwordHelp = least === undefined ? undefined : t`At least ${least} characters`
