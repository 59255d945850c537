import { t } from '@lingui/core/macro'
import type { FileKind, ReadOptions, SheetHead } from '~/core'
import type { Choice } from '~/ui/Select'
import type { OpenFile } from './useReader'

/** What a file is called that is of this kind. */
export const kinds: Record<FileKind, string> = {
  csv: t`Text file`,
  xlsx: t`Excel workbook`,
  xls: t`Excel 97–2003 workbook`,
  xlsb: t`Excel binary workbook`,
  ods: t`OpenDocument spreadsheet`,
}

const delimiters: Choice<string>[] = [
  { value: ',', label: t`Comma` },
  { value: ';', label: t`Semicolon` },
  { value: '\t', label: t`Tab` },
  { value: '|', label: t`Vertical bar` },
]

/** The rows that can be chosen to name the columns: a title and a few remarks may stand above them. */
const HEADER_ROWS = 10

const rowName = (row: string) => t`Row ${row}`

/** The choices, and whatever was recognised though it isn't among them. */
function including(choices: Choice<string>[], value: string, label: string): Choice<string>[] {
  return choices.some(choice => choice.value === value) ? choices : [...choices, { value, label }]
}

export const sheetChoices = (sheets: SheetHead[]): Choice<string>[] =>
  sheets.map(({ name, hidden }) => ({ value: name, label: hidden ? t`${name} (hidden)` : name }))

/** One thing that was recognised, and what else it could be. */
export type Reading = {
  name: string
  value: string
  choices: Choice<string>[]
  /** The options that read the file with another choice. */
  choose: (value: string) => ReadOptions
}

/** Everything that was recognised of a file and can be changed. What depends on a change is recognised anew. */
export function readingsOf({ head, encodings, chosen }: OpenFile): Reading[] {
  const { encoding, delimiter, sheet, sheets, header } = head
  const readings: Reading[] = []
  if (sheet !== undefined) {
    readings.push({
      name: t`Sheet`,
      value: sheet,
      choices: sheetChoices(sheets),
      choose: value => ({ sheet: value }),
    })
  }
  if (encoding !== undefined) {
    readings.push({
      name: t`Encoding`,
      value: encoding,
      choices: including(encodings, encoding, encoding),
      choose: value => ({ ...chosen, encoding: value }),
    })
  }
  if (delimiter !== undefined) {
    readings.push({
      name: t`Delimiter`,
      value: delimiter,
      choices: including(delimiters, delimiter, t`“${delimiter}”`),
      choose: value => ({ ...chosen, delimiter: value, header: undefined }),
    })
  }
  const rows = Array.from({ length: HEADER_ROWS }, (_, row) => `${row + 1}`)
  const named = including(
    rows.map(row => ({ value: row, label: rowName(row) })),
    `${header}`,
    rowName(`${header}`),
  )
  readings.push({
    name: t`Column names`,
    value: `${header}`,
    choices: [
      { value: '0', label: t({ message: 'None', context: 'column names' }) },
      ...named.filter(choice => choice.value !== '0'),
    ],
    choose: value => ({ ...chosen, header: Number(value) }),
  })
  return readings
}
