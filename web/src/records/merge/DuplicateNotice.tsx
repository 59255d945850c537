import { t } from '@lingui/core/macro'
import { ExternalLink } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { DuplicateReason } from '~/core'
import { useIsConnected } from '~/lib/connection'
import { Notice } from '~/ui/Notice'
import { findDuplicates } from './api'
import type { Duplicates, MergeKind, MergeList } from './duplicates'

/** Milliseconds after the last key press before the search for duplicates starts. */
const DELAY_MS = 500

type Props<R> = {
  kind: MergeKind<R>
  /** The form's values by which duplicates are found, by the names of the API's parameters. */
  values: Record<string, string>
  /** The id of the record that the form edits, which isn't its own duplicate. */
  except?: string
}

/**
 * Lists existing records that may be duplicates of the one in the form, while the user types. Never prevents saving.
 */
export function DuplicateNotice<R extends { name: string }>({
  kind: { resource, idOf, pathOf },
  values,
  except = '',
}: Props<R>) {
  const found = useDuplicates<R>(resource, values, except)
  return (
    <div role="status">
      {found.length > 0 && (
        <Notice kind="info" className="mb-4">
          <ul className="grid gap-1">
            {found.map(({ reasons, records: [record] }) => {
              if (!record || !reasons[0]) return null
              const { name } = record
              return (
                <li key={idOf(record)}>
                  {sentenceOf(reasons[0], name)}{' '}
                  <a
                    href={pathOf(idOf(record))}
                    target="_blank"
                    rel="noreferrer"
                    aria-label={t`Open ${name} in a new tab`}
                    className="inline-flex min-h-6 items-center gap-1 rounded underline underline-offset-4 touch:min-h-touch"
                  >
                    {t`Open`}
                    <ExternalLink aria-hidden className="size-3.5" />
                  </a>
                </li>
              )
            })}
          </ul>
        </Notice>
      )}
    </div>
  )
}

function sentenceOf(reason: DuplicateReason, name: string): string {
  switch (reason) {
    case 'email':
      return t`${name} has the same email.`
    case 'phone':
      return t`${name} has the same phone number.`
    case 'name_and_postal_code':
      return t`${name} has the same name and postal code.`
    case 'similar_name':
      return t`${name} has a similar name and the same postal code or address.`
  }
}

function useDuplicates<R>(list: MergeList, values: Record<string, string>, except: string): Duplicates<R>[] {
  const isConnected = useIsConnected()
  const [found, setFound] = useState<Duplicates<R>[]>([])
  const texts = Object.entries(values).flatMap(([name, text]) => (text.trim() ? [[name, text.trim()]] : []))
  const key = JSON.stringify(texts)
  useEffect(() => {
    const parameters = Object.fromEntries(JSON.parse(key)) as Record<string, string>
    if (!isConnected || Object.keys(parameters).length === 0) {
      setFound([])
      return
    }
    const controller = new AbortController()
    const timer = setTimeout(() => {
      findDuplicates<R>(list, { ...parameters, except }, controller.signal).then(
        setFound,
        // After a failed search the old hint is removed, because it may be wrong.
        () => controller.signal.aborted || setFound([]),
      )
    }, DELAY_MS)
    return () => {
      controller.abort()
      clearTimeout(timer)
    }
  }, [list, key, except, isConnected])
  return found
}
