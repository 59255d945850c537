import { t } from '@lingui/core/macro'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useId, useRef } from 'react'
import type { ModelColumn } from '~/core'
import { textOf } from '~/language'
import { day } from '~/lib/format'
import { cx } from '~/ui/cx'
import { ScrollRegion } from '~/ui/ScrollRegion'
import { Select } from '~/ui/Select'
import { columnTitle, fieldChoices } from './fields'
import type { Import } from './useImport'
import { useRangeExtractor } from './useRangeExtractor'
import type { OpenFile } from './useReader'
import { rememberedFor } from './useRemembered'

/** A list of more columns than this is virtualized: only its visible rows are rendered. */
const MAX_PLAIN = 40
const ROW_PX = 84
const SAMPLES = 3

type Props = { work: Import; opened: OpenFile; isOff: boolean }

/**
 * The list of the file's columns. Each has a select for its field, and the reason of the mapping or a validation error.
 */
export function MappingList(props: Props) {
  const { fileColumns } = props.opened.head
  if (fileColumns.length > MAX_PLAIN) return <LongList {...props} />
  return (
    <ul aria-label={t`Columns`} className="divide-y divide-line">
      {fileColumns.map((column, index) => (
        <li key={column}>
          <Column {...props} index={index} />
        </li>
      ))}
    </ul>
  )
}

function LongList(props: Props) {
  const { fileColumns } = props.opened.head
  const scroller = useRef<HTMLElement>(null)
  const wrong = fileColumns.indexOf(props.work.mappingErrors[0]?.field ?? '')
  const list = useVirtualizer({
    count: fileColumns.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 4,
    // So that the first wrong select can get the focus.
    rangeExtractor: useRangeExtractor(wrong < 0 ? undefined : wrong),
  })
  useEffect(() => {
    if (wrong >= 0) list.scrollToIndex(wrong, { align: 'auto' })
  }, [wrong, list])
  return (
    <ScrollRegion ref={scroller} label={t`Columns`} className="h-[min(36rem,70vh)] overflow-y-auto">
      <ul className="relative" style={{ height: list.getTotalSize() }}>
        {list.getVirtualItems().map(item => (
          <li
            key={item.key}
            ref={list.measureElement}
            data-index={item.index}
            aria-setsize={fileColumns.length}
            aria-posinset={item.index + 1}
            className="absolute inset-x-0 top-0 border-b border-line"
            style={{ transform: `translateY(${item.start}px)` }}
          >
            <Column {...props} index={item.index} />
          </li>
        ))}
      </ul>
    </ScrollRegion>
  )
}

function confidenceLabel(confidence: number): string | undefined {
  if (confidence >= 90) return t`Sure`
  if (confidence >= 50) return t`Likely`
  return confidence > 0 ? t`Guess` : undefined
}

function Column({ work, opened: { head }, isOff, index }: Props & { index: number }) {
  const fileColumn = head.fileColumns[index] ?? ''
  const column = columnTitle(fileColumn)
  const chosen = work.mapping[index]?.modelColumn as ModelColumn
  const error = work.mappingErrors.find(({ field }) => field === fileColumn)
  const errorId = useId()
  const samples = head.preview.map(row => row[index]?.trim()).filter(Boolean)
  return (
    <div
      className={cx(
        'grid items-start gap-x-6 gap-y-2 p-4 md:grid-cols-[minmax(0,1fr)_14rem_minmax(0,1fr)]',
        chosen === 'doNotImport' && 'bg-subtle/50',
      )}
    >
      <div className="min-w-0">
        <h3 className="truncate font-medium" title={column}>
          {column}
        </h3>
        <p className="mt-0.5 truncate text-xs text-muted" title={samples.join('\n')}>
          {samples.slice(0, SAMPLES).join(' · ') || t`No values in the first rows`}
        </p>
      </div>
      <Select
        label={t`Field for “${column}”`}
        value={chosen}
        choices={fieldChoices()}
        invalid={error !== undefined}
        describedBy={error && errorId}
        onChange={to => !isOff && work.map(fileColumn, to)}
      />
      <div className="min-w-0 text-xs leading-4 md:pt-3">
        {error ? (
          <p id={errorId} className="text-danger">
            {textOf(error.message)}
          </p>
        ) : (
          <Reason work={work} column={fileColumn} match={head.matches[index]} />
        )}
      </div>
    </div>
  )
}

type ReasonProps = { work: Import; column: string; match?: OpenFile['head']['matches'][number] }

function Reason({ work: { own, remembered }, column, match }: ReasonProps) {
  if (own[column] !== undefined) return <p className="text-muted">{t`Chosen by you`}</p>
  if (remembered && rememberedFor(remembered, column) !== undefined)
    return <p className="text-muted">{t`As in your import on ${day(remembered.importedAt)}`}</p>
  if (!match) return null
  const word = confidenceLabel(match.confidence)
  return (
    <p className="text-muted">
      {word && (
        <span className="mr-1 font-medium text-ink" title={t`${match.confidence} of 100`}>
          {word}
        </span>
      )}{' '}
      {textOf(match.reason)}
    </p>
  )
}
