import { t } from '@lingui/core/macro'
import { ChartColumn, Table2 } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useId, useState } from 'react'
import { cx } from '~/ui/cx'
import { IconButton } from '~/ui/IconButton'
import { ToggleButton } from '~/ui/ToggleButton'
import { usePhone } from '~/ui/usePhone'
import type { ChartShape, Measure, PointName } from './series'

// The charts' code is loaded with the first chart. If that fails, the card says so, and its button still shows
// the same data as a table.
const Chart = lazy(() =>
  import('./Chart').then(
    ({ Chart }) => ({ default: Chart }),
    () => ({ default: ChartNotLoaded }),
  ),
)

type Props = {
  title: string
  /** The table's column heading for `names`, for example "Month". */
  head: string
  names: PointName[]
  /** The series to choose from, such as number and amount. The first one is shown at first. */
  measures: [Measure, ...Measure[]]
  /**
   * `columns` are vertical bars, horizontal ones on a phone; `rows` are horizontal bars, for long names. `lines` shows
   * the first two series, compared with each other.
   */
  shape?: ChartShape
  none: string
}

const HEIGHT = 240
const ROW = 28

/**
 * A card with a chart and the same data as a table, which assistive technology always gets. If all values are 0, a
 * sentence stands for both.
 */
export function ChartCard({ title, head, names, measures, shape = 'columns', none }: Props) {
  const id = useId()
  const phone = usePhone()
  const [chosen, setChosen] = useState(0)
  const [asTable, setAsTable] = useState(false)
  const measure = measures[chosen] ?? measures[0]
  const isEmpty = measures.every(({ values }) => values.every(value => value === 0))
  const isLines = shape === 'lines'
  const other = asTable
    ? { Icon: ChartColumn, tip: t`Show as chart`, label: t`Show as chart: ${title}` }
    : { Icon: Table2, tip: t`Show as table`, label: t`Show as table: ${title}` }
  return (
    <section aria-labelledby={id} className="card relative p-5 print:break-inside-avoid">
      <div className="flex min-h-10 flex-wrap items-center gap-x-3 gap-y-2">
        <h2 id={id} className="mr-auto text-sm font-semibold">
          {title}
        </h2>
        {!isEmpty && isLines && !asTable && <Legend measures={measures} />}
        {!isEmpty && !isLines && measures.length > 1 && !asTable && (
          <fieldset className="flex flex-wrap rounded-lg border border-line p-0.5 print:hidden">
            <legend className="sr-only">{t`${title}: data shown`}</legend>
            {measures.map(({ name }, index) => (
              <Choice key={name} pressed={index === chosen} onClick={() => setChosen(index)}>
                {name}
              </Choice>
            ))}
          </fieldset>
        )}
        {!isEmpty && (
          <IconButton
            label={other.label}
            tip={other.tip}
            icon={<other.Icon aria-hidden className="size-4" />}
            onClick={() => setAsTable(!asTable)}
            className="-mr-2.5 ml-auto print:hidden"
          />
        )}
      </div>
      <div
        className="mt-3"
        style={asTable ? undefined : { height: phone && !isLines ? Math.max(names.length, 4) * ROW : HEIGHT }}
      >
        {isEmpty ? (
          <p className="flex h-full items-center justify-center text-muted">{none}</p>
        ) : (
          !asTable && (
            <Suspense fallback={<div className="skeleton size-full rounded-lg" />}>
              <Chart
                names={names}
                measures={isLines ? measures : [measure]}
                shape={phone && !isLines ? 'rows' : shape}
              />
            </Suspense>
          )
        )}
        {!isEmpty && (
          <div className={cx(!asTable && 'sr-only')}>
            <Table title={title} head={head} names={names} measures={measures} />
          </div>
        )}
      </div>
    </section>
  )
}

/** The names of a line chart's two series, each with its line. */
const Legend = ({ measures }: { measures: Measure[] }) =>
  measures.slice(0, 2).map(({ name }, index) => (
    <span key={name} aria-hidden className="inline-flex items-center gap-1.5 text-xs text-muted">
      <span
        className={cx('w-4 border-t-2', index === 0 ? 'border-accent-text' : 'border-dashed border-muted')}
      />
      {name}
    </span>
  ))

function Choice(props: { pressed: boolean; onClick: () => void; children: ReactNode }) {
  const { pressed, onClick, children } = props
  return (
    <ToggleButton
      isOn={pressed}
      onClick={onClick}
      className={cx(
        'h-8 rounded-md px-2.5 text-xs font-medium touch:h-touch',
        pressed ? 'bg-soft text-accent-text' : 'text-muted hover:text-ink',
      )}
    >
      {children}
    </ToggleButton>
  )
}

function Table({ title, head, names, measures }: Pick<Props, 'title' | 'head' | 'names' | 'measures'>) {
  return (
    <table aria-label={title} className="w-full text-left">
      <thead className="border-b border-line text-xs text-muted">
        <tr>
          <th scope="col" className="h-9 pr-4 font-medium">
            {head}
          </th>
          {measures.map(({ name }) => (
            <th key={name} scope="col" className="h-9 pl-4 text-right font-medium">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody className="divide-y divide-line">
        {names.map(({ long }, index) => (
          <tr key={long}>
            <th scope="row" className="h-9 pr-4 font-normal">
              {long}
            </th>
            {measures.map(({ name, values, formats }) => (
              <td key={name} className="h-9 pl-4 text-right tabular-nums">
                {index < values.length && formats.full(values[index] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function ChartNotLoaded() {
  return (
    <p className="flex h-full items-center justify-center text-muted">
      {t`The chart couldn't be loaded. The table shows the same data.`}
    </p>
  )
}
