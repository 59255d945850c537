import { t } from '@lingui/core/macro'
import { ExternalLink } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useIsConnected } from '~/lib/connection'
import { Notice } from '~/ui/Notice'

/** Milliseconds after the last key press before the search starts. */
const DELAY_MS = 500

/** How much the clocks of this machine and of the server may differ, in milliseconds. */
const CLOCK_TOLERANCE_MS = 60_000

/** A record that exists already, and a sentence about what it has in common with the one in the form. */
export type Existing = { id: string; name: string; path: string; sentence: string; createdAt: string }

type Find = (values: Record<string, string>, signal: AbortSignal) => Promise<Existing[]>

type Props = {
  /** The form's values by which records are found. */
  values: Record<string, string>
  /** Returns the records with such values. Blank values are left out. Must be defined at module scope or memoized. */
  find: Find
  /** Leaves out records that were created since this time: the form itself may have created them. */
  createdBefore: number | undefined
}

/** Lists existing records that may be the one in the form, while the user types. Never prevents saving. */
export function ExistingNotice({ values, find, createdBefore = Number.POSITIVE_INFINITY }: Props) {
  const found = useExisting(values, find).filter(
    ({ createdAt }) => Date.parse(createdAt) < createdBefore - CLOCK_TOLERANCE_MS,
  )
  return (
    <div role="status" className="sm:col-span-2">
      {found.length > 0 && (
        <Notice kind="info" className="mb-4">
          <ul className="grid gap-1">
            {found.map(({ id, name, path, sentence }) => (
              <li key={id}>
                {sentence}{' '}
                <a
                  href={path}
                  target="_blank"
                  rel="noreferrer"
                  aria-label={t`Open ${name} in a new tab`}
                  className="inline-flex min-h-6 items-center gap-1 rounded underline underline-offset-4 touch:min-h-touch"
                >
                  {t`Open`}
                  <ExternalLink aria-hidden className="size-3.5" />
                </a>
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}

function useExisting(values: Props['values'], find: Find): Existing[] {
  const isConnected = useIsConnected()
  const [found, setFound] = useState<Existing[]>([])
  const texts = Object.entries(values).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : []))
  const key = JSON.stringify(texts)
  useEffect(() => {
    const filled = Object.fromEntries(JSON.parse(key)) as Record<string, string>
    if (!isConnected || Object.keys(filled).length === 0) {
      setFound([])
      return
    }
    const controller = new AbortController()
    const timer = setTimeout(() => {
      find(filled, controller.signal).then(
        setFound,
        // After a failed search the old hint is removed, because it may be wrong.
        () => controller.signal.aborted || setFound([]),
      )
    }, DELAY_MS)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [key, find, isConnected])
  return found
}
