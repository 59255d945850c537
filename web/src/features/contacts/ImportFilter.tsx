import { t } from '@lingui/core/macro'
import { useCallback } from 'react'
import { type ContactSummary, core } from '~/core'
import { addressAfter, type ListPage } from '~/lib/query'
import { useRequest } from '~/lib/request'
import { FilterChips } from '~/records/FilterChips'
import { type ContactsQuery, kind } from './kind'

type Props = {
  query: ContactsQuery
  list: ListPage<ContactSummary> | undefined
  /** Whether the user may import contacts. Only then may they request an import job, which has the file's name. */
  mayImport: boolean
  /** Called when the filter is removed, to move the focus, because the focused link disappears. */
  onRemoved: () => void
}

/**
 * Shows that the list contains only the contacts of one import, with the name of its file, and can remove this filter.
 */
export function ImportFilter({ query, list, mayImport, onRemoved }: Props) {
  const { importBatchId } = query
  const named = list?.data.find(contact => contact.importBatchId === importBatchId)?.importSource
  // If no contact on this page has the file's name, it is requested with the import job.
  const isUnnamed = list !== undefined && !named
  const request = useCallback(() => core.importStatus(importBatchId), [importBatchId])
  const { outcome } = useRequest(isUnnamed && mayImport ? request : undefined)
  const file = named ?? (outcome?.ok ? outcome.value.fileName : t`one import`)
  const to = addressAfter(kind, query, { importBatchId: '' })
  return <FilterChips filters={[{ text: t`From ${file}`, tip: file, to }]} onRemoved={onRemoved} />
}
