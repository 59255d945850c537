import { t } from '@lingui/core/macro'
import type { ImportSession } from '~/core'
import { Notice } from '~/ui/Notice'

/** Warns if the server's verdict differs from the browser's. */
export function DiffersNotice({ session }: { session: ImportSession | undefined }) {
  return session?.differs ? (
    <Notice kind="warning">{t`The server came to another result than the browser that sent this file. What you see here is the server's.`}</Notice>
  ) : null
}
