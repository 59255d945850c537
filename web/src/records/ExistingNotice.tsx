import { t } from '@lingui/core/macro'
import { ExternalLink } from 'lucide-react'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
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
  const previous = useRef<HTMLElement>(null)
  return (
    <div
      role="status"
      className="sm:col-span-2"
      onFocus={({ currentTarget, relatedTarget }) => {
        if (relatedTarget instanceof HTMLElement && !currentTarget.contains(relatedTarget))
          previous.current = relatedTarget
      }}
    >
      {found.length > 0 && (
        <Notice kind="info" className="mb-4">
          <ul className="grid gap-1">
            {found.map(({ id, name, path, sentence }) => (
              <li key={id}>
                {sentence} <ExistingLink name={name} path={path} previous={previous} />
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}

type LinkProps = Pick<Existing, 'name' | 'path'> & {
  /** What had the focus before the links. It gets the focus back if the focused link disappears. */
  previous?: RefObject<HTMLElement | null>
}

/** A link to an existing record. It opens in a new tab, so that the form keeps its input. */
export function ExistingLink({ name, path, previous }: LinkProps) {
  const link = useRef<HTMLAnchorElement>(null)
  useLayoutEffect(() => {
    const shown = link.current
    return () => {
      if (shown && shown === document.activeElement) previous?.current?.focus()
    }
  }, [previous])
  return (
    <a
      ref={link}
      href={path}
      target="_blank"
      rel="noreferrer"
      aria-label={t`Open ${name} in a new tab`}
      className="inline-flex min-h-6 items-center gap-1 rounded underline underline-offset-4 touch:min-h-touch"
    >
      {t`Open`}
      <ExternalLink aria-hidden className="size-3.5" />
    </a>
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
