import { FileSpreadsheet, FileText } from 'lucide-react'
import type { FileHead } from '~/core'
import { counted } from '~/lib/format'
import { Notice } from '~/ui/Notice'
import type { OpenFile } from './useImport'

const kinds = { csv: 'CSV', xlsx: 'Excel workbook', xls: 'Excel 97–2003 workbook' } as const
const delimiters: Record<string, string> = {
  ',': 'comma',
  ';': 'semicolon',
  '\t': 'tab',
  '|': 'vertical bar',
}
const encodings: Record<string, string> = {
  'utf-8': 'UTF-8',
  'utf-16le': 'UTF-16',
  'utf-16be': 'UTF-16',
  'windows-1252': 'Windows-1252',
}

/** What was recognised, so that a wrong guess can be seen. */
function recognised(head: FileHead): string[] {
  const encoding = head.encoding && (encodings[head.encoding.toLowerCase()] ?? head.encoding)
  const delimiter = head.delimiter && `separated by ${delimiters[head.delimiter] ?? `“${head.delimiter}”`}`
  return [
    kinds[head.kind],
    head.sheet && `sheet “${head.sheet}”`,
    encoding,
    delimiter,
    counted(head.fileColumns.length, 'column'),
  ].filter(part => typeof part === 'string')
}

/** The file's name, what it was recognised as, and what one should know of it. */
export function FileSummary({ opened: { file, head } }: { opened: OpenFile }) {
  const Icon = head.kind === 'csv' ? FileText : FileSpreadsheet
  return (
    <div className="border-b border-line p-4">
      <div className="flex items-center gap-3">
        <Icon aria-hidden className="size-5 shrink-0 text-accent-text" />
        <div className="min-w-0">
          <p className="truncate font-medium" title={file.name}>
            {file.name}
          </p>
          <p className="text-xs text-muted">{recognised(head).join(' · ')}</p>
        </div>
      </div>
      {head.notices.length > 0 && (
        <Notice kind="warning" className="mt-3">
          <ul className="grid gap-1">
            {head.notices.map(notice => (
              <li key={notice}>{notice}</li>
            ))}
          </ul>
        </Notice>
      )}
    </div>
  )
}
