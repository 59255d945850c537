import type { ReactNode } from 'react'
import { cx } from '~/ui/cx'
import type { Expand, Selecting } from './columns'
import { RowToggle } from './RowToggle'
import { SelectBox, selectLabel } from './select/SelectBox'
import { useLongPress } from './select/useLongPress'

type Card<R> = {
  id: string
  record: R
  actions: ReactNode
  isSelected: boolean
  onToggle: () => void
  cells: { id: string; header: string; content: ReactNode }[]
}

type Props<R> = {
  /** Accessible name of the list. */
  label: string
  stale: boolean
  className: string
  panels: string
  expand: Expand<R> | undefined
  selecting: Selecting<R> | undefined
  cards: Card<R>[]
}

/** The rows of a list as cards, for narrow windows. The first cell is the card's heading. */
export function RecordCards<R>({ label, stale, className, cards, ...card }: Props<R>) {
  return (
    <ul aria-label={label} aria-busy={stale} className={`divide-y divide-line ${className}`}>
      {cards.map(({ id, ...rest }) => (
        <RecordCard key={id} id={id} {...rest} {...card} />
      ))}
    </ul>
  )
}

type CardProps<R> = Card<R> & Pick<Props<R>, 'panels' | 'expand' | 'selecting'>

function RecordCard<R>(props: CardProps<R>) {
  const { id, record, actions, isSelected, onToggle, cells, panels, expand, selecting } = props
  const [heading, ...rest] = cells
  const press = useLongPress(selecting && !selecting.isActive ? onToggle : undefined)
  return (
    <li className={cx(isSelected && 'bg-soft')} {...press}>
      <div className="relative flex flex-wrap items-center gap-x-3 py-3 pr-2 pl-4">
        {selecting?.isActive && (
          <SelectBox label={selectLabel(selecting.nameOf(record))} checked={isSelected} onChange={onToggle} />
        )}
        <div className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere] [&_.truncate]:whitespace-normal">
          {heading &&
            (expand ? (
              <RowToggle id={id} panels={panels} expand={expand}>
                {heading.content}
              </RowToggle>
            ) : (
              heading.content
            ))}
        </div>
        <div className="print:hidden">{actions}</div>
        <dl className="grid basis-full grid-cols-[auto_1fr] items-baseline gap-x-3 gap-y-0.5 pr-2 text-muted md:grid-cols-[auto_1fr_auto_1fr]">
          {rest.map(cell => (
            <div key={cell.id} className="contents">
              <dt>{cell.header}</dt>
              <dd className="line-clamp-4 min-w-0 text-ink [overflow-wrap:anywhere] [&_.truncate]:whitespace-normal">
                {cell.content}
              </dd>
            </div>
          ))}
        </dl>
      </div>
      {id === expand?.id && <div id={`${panels}${id}`}>{expand.detail(record)}</div>}
    </li>
  )
}
