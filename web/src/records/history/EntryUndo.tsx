import { plural, t } from '@lingui/core/macro'
import { Undo2 } from 'lucide-react'
import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react'
import type { HistoryEntry, Kept, LastChange, RevertProgress, RevertResult } from '~/core'
import { locale } from '~/language'
import { count, moment } from '~/lib/format'
import { Button } from '~/ui/Button'
import { Checkbox } from '~/ui/Checkbox'
import { ErrorNotice } from '~/ui/Notice'
import { ProgressBar } from '~/ui/ProgressBar'
import { reasonOf } from '../select/bulk'
import { actorName } from './actorName'
import { Changes } from './Changes'
import type { Describe } from './describe'
import { entryButtonClass } from './HistoryItem'
import { ImportedRecords, type PreviewProps, Records } from './UndoneRecords'
import type { EntryUndo } from './useEntryUndo'

type ButtonProps = { undo: EntryUndo; entry: HistoryEntry }

/** Focuses an entry when its button disappears while it has the focus, because nothing is left to undo. */
export function useFocusEntryOnUnmount(button: EntryUndo['button']) {
  useLayoutEffect(() => {
    const shown = button.current
    return () => {
      if (shown && shown === document.activeElement) shown.closest('li')?.focus()
    }
  }, [button])
}

/** The button that opens or closes the preview of undoing an entry. Hidden if the user may not undo it. */
export const UndoEntryButton = (props: ButtonProps) => props.undo.mayUndo && <PreviewButton {...props} />

function PreviewButton({ undo, entry }: ButtonProps) {
  const { button } = undo
  useFocusEntryOnUnmount(button)
  const isOpen = undo.preview !== undefined
  const what = [entry.label, moment(entry.at)].filter(Boolean).join(', ')
  return (
    <Button
      ref={button}
      aria-label={entry.action === 'deleted' ? t`Restore… ${what}` : t`Undo… ${what}`}
      kind="ghost"
      busy={undo.isBusy}
      className={entryButtonClass}
      aria-expanded={isOpen}
      onClick={() => (isOpen ? undo.close() : void undo.open())}
    >
      <Undo2 aria-hidden className="size-4" />
      {entry.action === 'deleted' ? t`Restore…` : t`Undo…`}
    </Button>
  )
}

type Props = {
  undo: EntryUndo
  entry: HistoryEntry
  describe: Describe
  /** The level of the panel's heading. */
  heading: 'h2' | 'h3' | 'h4'
}

/**
 * The preview of undoing an entry, with a button that undoes it. While it is closed, only the progress of a running
 * undo, or an error, if there is one.
 */
export function UndoEntryPanel(props: Props) {
  const { preview, progress, error } = props.undo
  if (preview) return <Panel {...props} preview={preview} />
  if (!progress) return <ErrorNotice message={error} className="mt-2" />
  return (
    <div className="mt-2 grid gap-2">
      <Progress progress={progress} />
    </div>
  )
}

function Panel({ undo, entry, describe, heading: Heading, preview }: Props & { preview: RevertResult }) {
  const id = useId()
  const title = useRef<HTMLHeadingElement>(null)
  const [shouldOverwrite, setOverwrite] = useState(false)
  const { button } = undo
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new preview can remove the button that had the focus.
  useEffect(() => {
    // Focuses the preview's title, unless the user has focused another element while the preview loaded.
    const { activeElement } = document
    // The menu that opened the preview may still have the focus while it closes.
    const isInMenu = activeElement?.closest('[role="menu"]')
    if (!isInMenu && activeElement !== document.body && activeElement !== button.current) return
    title.current?.focus()
    // The focus only shows the title, which may be at the end of the window.
    title.current?.closest('section')?.scrollIntoView({ block: 'nearest' })
  }, [button, preview])
  const isRestoration = entry.action === 'deleted'
  const isImport = entry.action === 'imported'
  const isMerge = entry.action === 'merged'
  const isUpdate = !isRestoration && !isImport && !isMerge
  const isOne = typeof entry.records !== 'number'
  const hasWork = preview.reverted > 0 || (shouldOverwrite && preview.kept_count > 0)
  const kept = preview.kept[0]?.fields ?? []
  const fields = preview.fields.length + (shouldOverwrite ? kept.length : 0)
  return (
    <section
      aria-labelledby={id}
      data-undo={entry.history_id}
      className="mt-2 rounded-lg border border-line bg-subtle p-4 [overflow-wrap:anywhere]"
      onKeyDown={event => {
        if (event.key !== 'Escape') return
        event.stopPropagation()
        undo.close()
      }}
    >
      <Heading
        ref={title}
        id={id}
        tabIndex={-1}
        className="flex items-center gap-2 font-semibold outline-none"
      >
        <Undo2 aria-hidden className="size-4" />
        {isImport ? t`Undo this import?` : isMerge ? t`Undo this merge?` : titleOf(isRestoration, isOne)}
      </Heading>
      <div className="mt-2 grid gap-2">
        {(isRestoration || isMerge) && (
          <p>{restorationText(preview.reverted, entry, isRestoration && isOne)}</p>
        )}
        {isImport && <ImportedRecords preview={preview} shouldOverwrite={shouldOverwrite} />}
        {isMerge && (
          <ChangedAgain kept={preview.kept[0]} describe={describe} shouldOverwrite={shouldOverwrite} />
        )}
        {isUpdate && isOne && (
          <Fields
            preview={preview}
            entry={entry}
            describe={describe}
            shouldOverwrite={shouldOverwrite}
            hasError={undo.error !== undefined}
          />
        )}
        {isUpdate && !isOne && (
          <Records preview={preview} shouldOverwrite={shouldOverwrite} total={entry.records ?? 0} />
        )}
        {preview.kept.length > 0 && (
          <Checkbox
            checked={shouldOverwrite}
            onChange={event => setOverwrite(event.target.checked)}
            label={
              isImport
                ? includeContactsLabel(preview.kept_count)
                : isOne || isMerge
                  ? includeFieldsLabel(kept.length)
                  : includeRecordsLabel(preview.kept_count)
            }
          />
        )}
        <ErrorNotice message={undo.error} />
      </div>
      <p role="status" className="sr-only">
        {undo.isBusy && (isImport ? t`Undoing the import…` : isRestoration ? t`Restoring…` : t`Undoing…`)}
      </p>
      <div className="mt-3 flex flex-wrap justify-end gap-2">
        <Button ariaDisabled={undo.isBusy} onClick={undo.close}>{t`Not now`}</Button>
        {(hasWork || preview.kept.length > 0) && (
          <Button
            kind="primary"
            busy={undo.isBusy}
            ariaDisabled={!hasWork}
            onClick={() => void undo.confirm(shouldOverwrite)}
          >
            {isRestoration ? t`Restore` : isOne && !isMerge && fields > 0 ? undoFields(fields) : t`Undo`}
          </Button>
        )}
      </div>
    </section>
  )
}

function titleOf(isRestoration: boolean, isOne: boolean): string {
  if (isRestoration) return isOne ? t`Restore this record?` : t`Restore these records?`
  return isOne ? t`Undo this change?` : t`Undo this bulk action?`
}

function restorationText(count: number, { label }: HistoryEntry, isOne: boolean): string {
  if (isOne && label) return t`${label} comes back from the trash.`
  return plural(count, {
    one: '# record comes back from the trash.',
    other: '# records come back from the trash.',
  })
}

const undoFields = (count: number) => plural(count, { one: 'Undo # field', other: 'Undo # fields' })
const includeFieldsLabel = (count: number) =>
  plural(count, { one: 'Undo this field too', other: 'Undo these fields too' })
const includeContactsLabel = (count: number) =>
  plural(count, {
    one: 'Move this contact to the trash, too',
    other: 'Move these contacts to the trash, too',
  })
const includeRecordsLabel = (count: number) =>
  plural(count, { one: 'Undo this record too', other: 'Undo these records too' })

/** The progress of an undo that continues on the server after its response. */
function Progress({ progress: { total, reverted, kept_count } }: { progress: RevertProgress }) {
  const [done, all] = [count(reverted + kept_count), count(total)]
  return (
    <>
      <ProgressBar
        label={t`Undoing`}
        value={reverted + kept_count}
        max={total}
        text={t`${done} of ${all} records`}
      />
      <p className="text-muted">{t`You can leave this page. Undoing continues on the server.`}</p>
    </>
  )
}

/** Lists a record's fields that get their old values back, and those that were changed again after the entry. */
function Fields({
  preview: { fields, unrecorded, following, kept, refused },
  shouldOverwrite,
  entry,
  describe,
  hasError,
}: Pick<Props, 'entry' | 'describe'> & PreviewProps & { hasError: boolean }) {
  const changes = entry.changes.filter(({ field }) => fields.includes(field))
  const again = kept[0]?.fields ?? []
  const labelsOf = (names: string[] = []) => listed(names.map(name => describe(name).label))
  const [others, derived] = [labelsOf(unrecorded), labelsOf(following)]
  const reason = refused[0] && reasonOf(refused[0])
  return (
    <>
      {changes.length > 0 && (
        <>
          <p>{t`These fields get their old values back:`}</p>
          <Changes
            isUpdate
            describe={describe}
            changes={changes.map(({ field, before, after }) => ({ field, before: after, after: before }))}
          />
        </>
      )}
      <ChangedAgain kept={kept[0]} describe={describe} shouldOverwrite={shouldOverwrite} />
      {changes.length + again.length > 0 && (
        <>
          {others && <p>{t`Stays as it is, because the old value is not recorded: ${others}.`}</p>}
          {derived && <p>{t`Stays as it is, because it follows from agreements: ${derived}.`}</p>}
        </>
      )}
      {reason && <p>{reason}</p>}
      {/* The error of an undo that found nothing to undo says the same. */}
      {changes.length === 0 && again.length === 0 && !reason && !hasError && (
        <p>{t`There is nothing to undo: the record already has the old values.`}</p>
      )}
    </>
  )
}

type ChangedAgainProps = { kept: Kept | undefined; describe: Describe; shouldOverwrite: boolean }

/** Lists a record's fields that were changed again after the entry, and says who changed the record last. */
function ChangedAgain({ kept, describe, shouldOverwrite }: ChangedAgainProps) {
  if (!kept) return null
  const { fields, last_change } = kept
  const names = listed(fields.map(field => describe(field).label))
  return (
    <p>
      {shouldOverwrite
        ? plural(fields.length, {
            one: `${names} has been changed again since then and will be overwritten.`,
            other: `${names} have been changed again since then and will be overwritten.`,
          })
        : plural(fields.length, {
            one: `${names} has been changed again since then and keeps its value.`,
            other: `${names} have been changed again since then and keep their values.`,
          })}
      {last_change && <span className="block text-muted">{lastChangeText(last_change)}</span>}
    </p>
  )
}

function lastChangeText({ actor, at }: LastChange): string {
  const [name, time] = [actorName(actor), moment(at)]
  return t`Last changed by ${name}, ${time}`
}

const listed = (names: string[]) => new Intl.ListFormat(locale).format(names)
