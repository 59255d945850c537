import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { useCallback } from 'react'
import { Link } from 'react-router'
import { type ContactSummary, core } from '~/core'
import { useRequest } from '~/lib/request'
import type { ListPage } from '~/records/useRecords'
import { type ContactsQuery, contactsAddress } from './query'

type Props = {
  query: ContactsQuery
  list: ListPage<ContactSummary> | undefined
  /** May import, and so ask after a single import. */
  mayImport: boolean
  /** It was taken away, and the focus with it. */
  onRemoved: () => void
}

/** Names the file that the list is narrowed to; it can be taken away. */
export function ImportChip({ query, list, mayImport, onRemoved }: Props) {
  const { importBatchId } = query
  const named = list?.data.find(contact => contact.importBatchId === importBatchId)?.importSource
  // Where no contact names the file, the import does, to whom it may.
  const isUnnamed = list !== undefined && !named
  const ask = useCallback(() => core.importStatus(importBatchId), [importBatchId])
  const { outcome } = useRequest(isUnnamed && mayImport ? ask : undefined)
  const file = named ?? (outcome?.ok ? outcome.value.fileName : t`one import`)
  return (
    <ul aria-label={t`Active filters`} className="flex border-b border-line px-3 py-2.5 md:px-4">
      <li className="min-w-0">
        <Link
          to={contactsAddress({ ...query, page: 1, importBatchId: '' })}
          onClick={onRemoved}
          className="flex h-8 items-center gap-1.5 rounded-full bg-soft pr-2 pl-3 font-medium text-accent-text transition-colors hover:bg-subtle max-md:h-11 max-md:pr-3 max-md:pl-4 touch:h-11"
        >
          <span title={file} className="truncate">
            {t`From ${file}`}
          </span>
          <span className="sr-only">{t`, remove this filter`}</span>
          <X aria-hidden className="size-4 shrink-0" />
        </Link>
      </li>
    </ul>
  )
}
