import { t } from '@lingui/core/macro'
import type { ImportSession } from '~/core'
import { Notice } from '~/ui/Notice'

/** Warns if the result of the import on the server differs from the result of the browser's check. */
export function DiffersNotice({ session }: { session: ImportSession | undefined }) {
  return session?.differs ? (
    <Notice kind="warning">{t`The server came to another result than the browser that sent this file. What you see here is the server's.`}</Notice>
  ) : null
}
