import { scaleBand, scaleLinear } from '@visx/scale'
import { BarRounded } from '@visx/shape'
import { fitLabels } from './labels'
import type { DrawnProps } from './series'

/** Returns the scale that maps 0 to the highest value (at least 1) to `range`, in pixels. */
const scaleOf = (values: number[], range: [number, number]) =>
  scaleLinear({ domain: [0, Math.max(...values, 1)], range })

const BAR = 'fill-accent-text'
const RADIUS = 3

/** Vertical bars with their values as text, as far as the texts fit beside each other. */
export function Columns({ names, measures: [{ values, formats }], width, height }: DrawnProps) {
  const [head, foot] = [18, 22]
  const x = scaleBand({ domain: names.map(name => name.long), range: [0, width], padding: 0.3 })
  const y = scaleOf(values, [0, height - head - foot])
  const base = height - foot
  const shown = names.map((_, index) => values[index] ?? 0)
  const labels = fitLabels(shown.map(formats.short), shown.map(formats.plain), x.step())
  return (
    <>
      {names.map((name, index) => {
        const value = shown[index] ?? 0
        const [left, tall] = [x(name.long) ?? 0, y(value)]
        const middle = left + x.bandwidth() / 2
        return (
          <g key={name.long} data-bar={name.long}>
            <title>{`${name.long}: ${formats.full(value)}`}</title>
            {value > 0 && (
              <BarRounded
                x={left}
                y={base - tall}
                width={x.bandwidth()}
                height={tall}
                radius={Math.min(RADIUS, tall)}
                top
                className={BAR}
              />
            )}
            <text
              x={middle}
              y={base - tall - 6}
              textAnchor="middle"
              className={value > 0 ? 'fill-ink' : 'fill-muted'}
            >
              {labels[index]}
            </text>
            <text x={middle} y={height - 6} textAnchor="middle" className="fill-muted">
              {name.short}
            </text>
          </g>
        )
      })}
      <line x1={0} x2={width} y1={base + 0.5} y2={base + 0.5} className="stroke-line" />
    </>
  )
}

/** Average character width of the small font, in pixels. */
const CHARACTER = 6.5

const roomFor = (texts: string[]) => Math.max(...texts.map(text => text.length)) * CHARACTER

/** Horizontal bars with names beside them and their values as text. */
export function Rows({ names, measures: [{ values, formats }], width, height }: DrawnProps) {
  const shown = values.map(formats.full)
  const left = roomFor(names.map(name => name.long)) + 8
  const right = roomFor(shown) + 8
  const y = scaleBand({ domain: names.map(name => name.long), range: [0, height], padding: 0.35 })
  const x = scaleOf(values, [0, Math.max(width - left - right, 0)])
  return names.map((name, index) => {
    const top = y(name.long) ?? 0
    const long = x(values[index] ?? 0)
    const middle = top + y.bandwidth() / 2
    return (
      <g key={name.long} data-bar={name.long}>
        <text x={0} y={middle} dominantBaseline="central" className="fill-muted">
          {name.long}
        </text>
        {long > 0 && (
          <BarRounded
            x={left}
            y={top}
            width={long}
            height={y.bandwidth()}
            radius={Math.min(RADIUS, long)}
            right
            className={BAR}
          />
        )}
        <text x={left + long + 6} y={middle} dominantBaseline="central" className="fill-ink">
          {shown[index]}
        </text>
      </g>
    )
  })
}
