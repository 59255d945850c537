import type { NumberFormats } from './format'

/**
 * The name of a value: `long` beside a horizontal bar, in the tooltip and in the table; `short` under a vertical bar or
 * a line.
 */
export type PointName = { long: string; short: string }

/** A named series of values, one for each of the chart's names; in a line chart it may end earlier. */
export type Measure = { name: string; values: number[]; formats: NumberFormats }

export type ChartShape = 'columns' | 'rows' | 'lines'

export type ChartProps = { names: PointName[]; measures: [Measure, ...Measure[]]; shape: ChartShape }

/** What a chart is drawn from, with its size in pixels. */
export type DrawnProps = Omit<ChartProps, 'shape'> & { width: number; height: number }
