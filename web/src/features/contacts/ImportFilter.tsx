import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { type ContactSummary, core } from '~/core'
import { useRequest } from '~/lib/request'
import { FilterChips } from '~/records/FilterChips'
import type { ListPage } from '~/records/useRecords'
import { type ContactsQuery, contactsAddress } from './query'

type Props = {
  query: ContactsQuery
  list: ListPage<ContactSummary> | undefined
  /** The user may import contacts and therefore request the status of an import. */
  mayImport: boolean
  /** Called when the filter is removed. Moves the focus, which was on the removed link. */
  onRemoved: () => void
}

/** The filter for the contacts of an import, with the name of its file. */
export function ImportFilter({ query, list, mayImport, onRemoved }: Props) {
  const { importBatchId } = query
  const named = list?.data.find(contact => contact.importBatchId === importBatchId)?.importSource
  // If no contact in the list contains the file's name, the import does.
  const isUnnamed = list !== undefined && !named
  const request = useCallback(() => core.importStatus(importBatchId), [importBatchId])
  const { outcome } = useRequest(isUnnamed && mayImport ? request : undefined)
  const file = named ?? (outcome?.ok ? outcome.value.fileName : t`one import`)
  const to = contactsAddress({ ...query, page: 1, importBatchId: '' })
  return <FilterChips filters={[{ text: t`From ${file}`, tip: file, to }]} onRemoved={onRemoved} />
}
