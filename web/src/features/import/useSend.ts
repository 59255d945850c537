import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '~/core/problem'
import { useIsConnected } from '~/lib/connection'
import { SendError, type Submission, send, type Upload, UploadCancelled } from './send'

/** Returns functions that submit the file and cancel the upload, and its progress or error message. */
export function useSend(onSent: (session: string) => Promise<void>) {
  const [upload, setUpload] = useState<Upload>()
  const [refusal, setRefusal] = useState<string>()
  const stopper = useRef<AbortController>(null)
  useEffect(() => () => stopper.current?.abort(), [])
  const isConnected = useIsConnected()
  // When the connection is back, the error message is removed.
  useEffect(() => {
    if (isConnected) setRefusal(undefined)
  }, [isConnected])
  const start = async (submission: Submission) => {
    const controller = new AbortController()
    stopper.current = controller
    setRefusal(undefined)
    setUpload({ sent: 0, whole: submission.file.size })
    try {
      await onSent(await send(submission, setUpload, controller.signal))
    } catch (error) {
      if (error instanceof UploadCancelled) return
      setRefusal(error instanceof SendError ? error.message : messageOf(error, t`Failed to import contacts`))
    } finally {
      setUpload(undefined)
    }
  }
  return {
    /** The progress of the running upload; undefined if none is running. */
    upload,
    refusal,
    send: (submission: Submission) => void start(submission),
    stop: () => stopper.current?.abort(),
  }
}

export type Sending = ReturnType<typeof useSend>
