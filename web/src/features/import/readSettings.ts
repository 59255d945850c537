import { t } from '@lingui/core/macro'
import type { FileKind, ReadOptions, SheetHead } from '~/core'
import type { Choice } from '~/ui/Select'
import { encodingNames } from './encodings'
import type { OpenFile } from './useReader'

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

/** How many of the first rows can be chosen as the header row, because a title or remarks may precede it. */
const HEADER_ROWS = 10

const rowName = (row: string) => t`Row ${row}`

/** Returns the choices, with `value` added if it isn't one of them. */
function withChoice(choices: Choice<string>[], value: string, label: string): Choice<string>[] {
  return choices.some(choice => choice.value === value) ? choices : [...choices, { value, label }]
}

export const sheetChoices = (sheets: SheetHead[]): Choice<string>[] =>
  sheets.map(({ name, hidden }) => ({ value: name, label: hidden ? t`${name} (hidden)` : name }))

/** An option of reading the file, with its current value and the values to choose from. */
type ReadSetting = {
  name: string
  value: string
  choices: Choice<string>[]
  /** Returns the read options in which this option has another value. */
  choose: (value: string) => ReadOptions
}

/** Returns the read options that the user can change. Options that depend on a changed one are detected again. */
export function readSettingsOf({ head, encodings, chosen }: OpenFile): ReadSetting[] {
  const { encoding, delimiter, sheet, sheets, header } = head
  const settings: ReadSetting[] = []
  if (sheet !== undefined) {
    settings.push({
      name: t`Sheet`,
      value: sheet,
      choices: sheetChoices(sheets),
      choose: value => ({ sheet: value }),
    })
  }
  if (encoding !== undefined) {
    settings.push({
      name: t`Encoding`,
      value: encoding,
      choices: withChoice(
        encodings.map(value => ({ value, label: encodingNames[value] ?? value })),
        encoding,
        encoding,
      ),
      choose: value => ({ ...chosen, encoding: value }),
    })
  }
  if (delimiter !== undefined) {
    settings.push({
      name: t`Delimiter`,
      value: delimiter,
      choices: withChoice(delimiters, delimiter, t`“${delimiter}”`),
      choose: value => ({ ...chosen, delimiter: value, header: undefined }),
    })
  }
  const rows = Array.from({ length: HEADER_ROWS }, (_, row) => `${row + 1}`)
  const named = withChoice(
    rows.map(row => ({ value: row, label: rowName(row) })),
    `${header}`,
    rowName(`${header}`),
  )
  settings.push({
    name: t`Column names`,
    value: `${header}`,
    choices: [
      { value: '0', label: t({ message: 'None', context: 'column names' }) },
      ...named.filter(choice => choice.value !== '0'),
    ],
    choose: value => ({ ...chosen, header: Number(value) }),
  })
  return settings
}
