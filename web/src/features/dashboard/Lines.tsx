import { scaleLinear } from '@visx/scale'
import { AreaClosed, LinePath } from '@visx/shape'
import type { DrawnProps } from './series'

const [HEAD, FOOT] = [14, 22]
const TICKS = 4
/** The width of a character beside the axis, in pixels. */
const CHARACTER = 7

/**
 * A chart of two series that grow from day to day: the first one up to today as a filled line, the one it is compared
 * with dashed.
 */
export function Lines({ names, measures, width, height }: DrawnProps) {
  const [now, before] = measures
  const highest = Math.max(...measures.flatMap(({ values }) => values), 1)
  const y = scaleLinear({ domain: [0, highest], range: [height - FOOT, HEAD], nice: TICKS })
  const ticks = y.ticks(TICKS).map(tick => ({ tick, label: now.formats.short(tick) }))
  const left = 12 + CHARACTER * Math.max(...ticks.map(({ label }) => label.length), 6)
  const x = scaleLinear({ domain: [0, names.length - 1], range: [left, width - 8] })
  const points = (values: number[]) => values.map((value, index) => ({ value, index }))
  const place = { x: (point: Point) => x(point.index), y: (point: Point) => y(point.value) }
  const last = now.values.length - 1
  const everyWeek = names.map((name, index) => ({ name, index })).filter(({ index }) => index % 7 === 0)
  return (
    <>
      {ticks.map(({ tick, label }) => (
        <g key={tick}>
          <line x1={left} x2={width} y1={y(tick)} y2={y(tick)} className="stroke-line" />
          <text x={left - 8} y={y(tick)} textAnchor="end" dominantBaseline="central" className="fill-muted">
            {label}
          </text>
        </g>
      ))}
      {everyWeek.map(({ name, index }) => (
        <text key={name.long} x={x(index)} y={height - 6} textAnchor="middle" className="fill-muted">
          {name.short}
        </text>
      ))}
      <AreaClosed data={points(now.values)} {...place} yScale={y} className="fill-accent-text/10" />
      {before && (
        <LinePath
          data={points(before.values)}
          {...place}
          strokeDasharray="4 4"
          className="fill-none stroke-muted stroke-[1.5px]"
        />
      )}
      <LinePath
        data={points(now.values)}
        {...place}
        data-line={now.name}
        className="fill-none stroke-accent-text stroke-2"
      />
      {last >= 0 && (
        <circle
          cx={x(last)}
          cy={y(now.values[last] ?? 0)}
          r={4}
          className="fill-card stroke-accent-text stroke-2"
        />
      )}
    </>
  )
}

type Point = { value: number; index: number }
