import { t } from '@lingui/core/macro'
import { FileSpreadsheet, FileText } from 'lucide-react'
import type { Message, ReadOptions } from '~/core'
import type { SheetChoice } from '~/import/types'
import { textOf } from '~/language'
import { size } from '~/lib/size'
import { Notice } from '~/ui/Notice'
import { Select } from '~/ui/Select'
import { columns } from './figures'
import { kinds, readSettingsOf, sheetChoices } from './readSettings'
import type { OpenFile } from './useReader'

type OnRead = (options: ReadOptions) => void

export function FileSummary({ opened: { file, head } }: { opened: OpenFile }) {
  const Icon = head.kind === 'csv' ? FileText : FileSpreadsheet
  const facts = [kinds[head.kind], size(file.size), columns(head.fileWidth)]
  return (
    <div className="flex min-w-0 items-center gap-3">
      <Icon aria-hidden className="size-5 shrink-0 text-accent-text" />
      <div className="min-w-0">
        <p className="line-clamp-2 font-medium [overflow-wrap:anywhere]" title={file.name}>
          {file.name}
        </p>
        <p className="text-xs text-muted">{facts.join(' · ')}</p>
      </div>
    </div>
  )
}

/** Selects for the options with which the file was read, so that the user can correct a wrong detection. */
export function ReadSettings({ opened, onRead }: { opened: OpenFile; onRead: OnRead }) {
  return (
    <fieldset className="grid grid-cols-[repeat(auto-fill,minmax(11rem,1fr))] gap-3">
      <legend className="sr-only">{t`How the file is read`}</legend>
      {readSettingsOf(opened).map(({ name, value, choices, choose }) => (
        <div key={name} className="grid gap-1">
          <span aria-hidden className="text-xs font-medium text-muted">
            {name}
          </span>
          <Select
            label={name}
            value={value}
            choices={choices}
            onChange={next => next !== value && onRead(choose(next))}
          />
        </div>
      ))}
    </fieldset>
  )
}

/** A select for another sheet of the workbook, shown if the selected sheet can't be imported. */
export function OtherSheets({ choice, onRead }: { choice: SheetChoice; onRead: OnRead }) {
  if (choice.sheets.every(({ name }) => name === choice.sheet)) return null
  return (
    <div className="card grid gap-1 p-4">
      <span aria-hidden className="text-xs font-medium text-muted">
        {t`Sheet`}
      </span>
      <Select
        label={t`Sheet`}
        value={choice.sheet ?? ''}
        placeholder={t`Choose a sheet`}
        choices={sheetChoices(choice.sheets)}
        onChange={sheet => onRead({ sheet })}
        className="max-w-xs"
      />
    </div>
  )
}

export function FileNotices({ notices }: { notices: Message[] }) {
  if (notices.length === 0) return null
  return (
    <Notice kind="warning">
      <ul className="grid gap-1">
        {notices.map(notice => (
          <li key={textOf(notice)}>{textOf(notice)}</li>
        ))}
      </ul>
    </Notice>
  )
}
