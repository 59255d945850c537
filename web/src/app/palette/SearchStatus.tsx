import { Autocomplete } from '@base-ui/react/autocomplete'
import { plural, t } from '@lingui/core/macro'
import { CloudOff, LoaderCircle, TriangleAlert } from 'lucide-react'
import { core } from '~/core'
import { locale, textOf } from '~/language'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import type { Group } from './entry'
import type { FoundRecords } from './useRecordSearch'

type Props = { text: string; groups: Group[]; records: FoundRecords; onRetry: () => void }

const titles = new Intl.ListFormat(locale)

/** Says whether the palette is searching, found nothing, or failed: below the results, or in their place. */
export function SearchStatus({ text, groups, records, onRetry }: Props) {
  const found = groups.reduce((sum, { items }) => sum + items.length, 0)
  const className = cx(
    'flex flex-wrap items-center gap-x-2.5 gap-y-1 text-muted [overflow-wrap:anywhere]',
    found === 0 ? 'flex-1 justify-center px-6 text-center' : 'border-t border-line px-4 py-2.5',
  )
  const failure = records.state === 'found' ? records.failure : undefined
  const message = messageFor(text, found, records)
  return (
    <>
      <Autocomplete.Status className={message ? className : 'sr-only'}>
        {message ?? (text !== '' && plural(found, { one: '# result', other: '# results' }))}
      </Autocomplete.Status>
      {failure && (
        <div role="alert" className="flex items-center gap-2.5 border-t border-line px-4 py-2.5">
          <TriangleAlert aria-hidden className="size-4 shrink-0 text-danger" />
          <span className="min-w-0 flex-1">
            {t`Couldn't search ${titles.format(failure.titles)}.`} {failure.why}
          </span>
          <Button onClick={onRetry}>{t`Try Again`}</Button>
        </div>
      )}
    </>
  )
}

function messageFor(text: string, found: number, records: FoundRecords) {
  switch (records.state) {
    case 'searching':
      return (
        <>
          <LoaderCircle aria-hidden className="size-4 animate-spin motion-reduce:animate-none" />
          {t`Searching`}
        </>
      )
    case 'offline':
      return (
        <>
          <CloudOff aria-hidden className="size-4 shrink-0" />
          {textOf(core.texts().general.noConnection)}
        </>
      )
    case 'none':
      return found === 0 && t`No matches. Type at least two characters to search records.`
    case 'found':
      return (
        found === 0 && !records.failure && t`No results for “${text}”. Try part of a name or email address.`
      )
  }
}
