import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { Columns, Rows } from './Bars'
import { Lines } from './Lines'
import type { ChartProps } from './series'

type Size = { width: number; height: number }

const shapes = { columns: Columns, rows: Rows, lines: Lines }

/** A chart. Hidden from assistive technology, which gets the table of `ChartCard`. */
export function Chart({ shape, ...props }: ChartProps) {
  const place = useRef<HTMLDivElement>(null)
  const { width, height } = useSize(place)
  const Shape = shapes[shape]
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
