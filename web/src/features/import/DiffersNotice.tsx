import { t } from '@lingui/core/macro'
import type { ImportSession } from '~/core'
import { Notice } from '~/ui/Notice'

/** Warns if the result of the import on the server differs from the result of the browser's check. */
export function DiffersNotice({ session }: { session: ImportSession | undefined }) {
  return session?.differs ? (
    <Notice kind="warning">{t`The server checked this file with a different result than the browser. What you see here is the server's result.`}</Notice>
  ) : null
}
