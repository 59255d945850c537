import { useEffect, useRef, useState } from 'react'
import { core } from '~/core'
import { useIsConnected } from '~/lib/connection'
import { messageOf } from '~/lib/problem'
import { Aborted, type Parcel, SendError, send, type Upload } from './send'

/** Sends the file; one can watch it go, and call it off. */
export function useSend(arrived: (session: string) => Promise<void>) {
  const [upload, setUpload] = useState<Upload>()
  const [refusal, setRefusal] = useState<string>()
  const stopper = useRef<AbortController>(null)
  useEffect(() => () => stopper.current?.abort(), [])
  const isConnected = useIsConnected()
  // What couldn't be sent can be now.
  useEffect(() => {
    if (isConnected) setRefusal(undefined)
  }, [isConnected])
  const begin = async (parcel: Parcel) => {
    const mine = new AbortController()
    stopper.current = mine
    setRefusal(undefined)
    setUpload({ sent: 0, whole: parcel.file.size })
    try {
      await arrived(await send(parcel, setUpload, mine.signal))
    } catch (error) {
      if (error instanceof Aborted) return
      setRefusal(
        error instanceof SendError ? error.message : messageOf(error, core.texts().import.submitFailed),
      )
    } finally {
      setUpload(undefined)
    }
  }
  return {
    /** How much is on its way; absent while nothing is sent. */
    upload,
    /** Why it didn't arrive. */
    refusal,
    send: (parcel: Parcel) => void begin(parcel),
    stop: () => stopper.current?.abort(),
  }
}

export type Sending = ReturnType<typeof useSend>
