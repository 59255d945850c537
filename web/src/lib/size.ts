import { plural } from '@lingui/core/macro'
import { locale } from '~/language'
import { once } from './once'

const UNITS = ['kB', 'MB', 'GB'] as const
const decimalFormat = (count: number) =>
  once(
    () =>
      new Intl.NumberFormat(locale, {
        useGrouping: false,
        minimumFractionDigits: count,
        maximumFractionDigits: count,
      }),
  )
const [whole, tenths] = [decimalFormat(0), decimalFormat(1)]

/** Formats a file size, such as "812 bytes" or "17.1 MB". */
export function size(bytes: number): string {
  if (bytes < 1000) return plural(bytes, { one: '# byte', other: '# bytes' })
  let value = bytes / 1000
  let unit = 0
  // A value that would be rounded up to 1,000 uses the next unit.
  while (value >= 999.5 && unit < UNITS.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${(value < 99.95 ? tenths : whole)().format(value)} ${UNITS[unit]}`
}
