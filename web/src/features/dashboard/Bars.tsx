import { scaleBand, scaleLinear } from '@visx/scale'
import { BarRounded } from '@visx/shape'
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import type { NumberFormats } from './format'

/**
 * The label of a bar: `long` beside a horizontal bar, in the tooltip and in the table; `short` under a vertical bar.
 */
export type BarName = { long: string; short: string }

type Props = {
  names: BarName[]
  values: number[]
  formats: NumberFormats
  /** Draws horizontal bars with labels beside them, instead of vertical bars. */
  rows: boolean
}

type Size = { width: number; height: number }

/** A bar chart with the values as text. Hidden from assistive technology, which gets the table of `ChartCard`. */
export function Bars(props: Props) {
  const place = useRef<HTMLDivElement>(null)
  const { width, height } = useSize(place)
  const Shape = props.rows ? Rows : Columns
  return (
    <div ref={place} className="size-full">
      {width > 0 && (
        // Drawn in the size of its container; in print it is scaled down.
        <svg aria-hidden viewBox={`0 0 ${width} ${height}`} className="size-full text-[11px] tabular-nums">
          <Shape {...props} width={width} height={height} />
        </svg>
      )}
    </div>
  )
}

function useSize(place: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const element = place.current
    if (!element) return
    const measure = () => setSize({ width: element.clientWidth, height: element.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [place])
  return size
}

/** Returns the scale that maps 0 to the highest value (at least 1) to `range`, in pixels. */
const scaleOf = (values: number[], range: [number, number]) =>
  scaleLinear({ domain: [0, Math.max(...values, 1)], range })

const BAR = 'fill-accent-text'
const RADIUS = 3

function Columns({ names, values, formats, width, height }: Props & Size) {
  const [head, foot] = [18, 22]
  const x = scaleBand({ domain: names.map(name => name.long), range: [0, width], padding: 0.3 })
  const y = scaleOf(values, [0, height - head - foot])
  const base = height - foot
  return (
    <>
      {names.map((name, index) => {
        const value = values[index] ?? 0
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
              {formats.short(value)}
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

function Rows({ names, values, formats, width, height }: Props & Size) {
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
