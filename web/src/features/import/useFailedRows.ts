import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { core, type ImportSession } from '~/core'
import { messageOf } from '~/core/problem'
import { save } from '~/lib/save'

/**
 * Returns a function that downloads the failed rows of an import, each with the reason, and the state of the download.
 */
export function useFailedRows() {
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const download = async ({ sessionId, fileName }: ImportSession) => {
    setBusy(true)
    setError(undefined)
    try {
      const file = await core.failedRows(sessionId)
      const name = fileName.replace(/\.[^.]*$/, '')
      save(file, t`${name} - rows with problems.csv`)
    } catch (thrown) {
      setError(messageOf(thrown, t`Failed to download the rows with problems`))
    }
    setBusy(false)
  }
  return { busy, error, download: (session: ImportSession) => void download(session) }
}
