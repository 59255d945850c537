import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import type { DuplicateReason } from '~/core'
import { type Existing, ExistingNotice } from '../ExistingNotice'
import { findDuplicates } from './api'
import type { MergeKind } from './duplicates'

type Props<R> = {
  kind: MergeKind<R>
  /** The form's values by which duplicates are found, by the names of the API's parameters. */
  values: Record<string, string>
  /** The id of the record that the form edits, which isn't its own duplicate. */
  except?: string
  createdBefore: number | undefined
}

/** Lists existing records that may be duplicates of the one in the form. */
export function DuplicateNotice<R extends { name: string; createdAt: string }>({
  kind: { resource, idOf, pathOf },
  values,
  except = '',
  createdBefore,
}: Props<R>) {
  const find = useCallback(
    async (filled: Record<string, string>, signal: AbortSignal): Promise<Existing[]> => {
      const groups = await findDuplicates<R>(resource, { ...filled, except }, signal)
      return groups.flatMap(({ reasons: [reason], records: [record] }) => {
        if (!record || !reason) return []
        const { name, createdAt } = record
        const sentence = sentenceOf(reason, name)
        return { id: idOf(record), name, path: pathOf(idOf(record)), sentence, createdAt }
      })
    },
    [resource, idOf, pathOf, except],
  )
  return <ExistingNotice values={values} find={find} createdBefore={createdBefore} />
}

function sentenceOf(reason: DuplicateReason, name: string): string {
  switch (reason) {
    case 'organization_number':
      return t`${name} has the same organization number.`
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
