import { t } from '@lingui/core/macro'
import { ArrowLeft, History } from 'lucide-react'
import { startTransition, useRef, useState } from 'react'
import { core, type Message } from '~/core'
import { textOf } from '~/language'
import { count, day } from '~/lib/format'
import { size } from '~/lib/size'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { ErrorNotice, Notice } from '~/ui/Notice'
import { ProgressBar } from '~/ui/ProgressBar'
import { useRescuedFocus } from '~/ui/useRescuedFocus'
import { CheckBar } from './CheckBar'
import { CorrectionsPanel } from './CorrectionsPanel'
import { DuplicatesPanel } from './DuplicatesPanel'
import { FileNotices, FileSummary } from './FileSummary'
import { MappingList } from './MappingList'
import { PreviewTable } from './PreviewTable'
import { ProblemPanel } from './ProblemPanel'
import { StepFooter } from './StepFooter'
import { StepHeading } from './StepHeading'
import type { Check } from './useCheck'
import type { Import } from './useImport'
import type { OpenFile } from './useReader'
import type { Sending } from './useSend'
import { visibleResult } from './visibleResult'

type Props = { work: Import; opened: OpenFile; sending: Sending; onBack: () => void }

/** Step 2 of the import: the user maps the columns and corrects problems, while the whole file is checked. */
export function MapStep({ work, opened, sending, onBack }: Props) {
  const { check, mapping, mappingErrors, corrections } = work
  const step = useRef<HTMLElement>(null)
  const errors = useRef<HTMLDivElement>(null)
  const [panel, setPanel] = useState<'corrections' | 'duplicates'>()
  const close = () => setPanel(undefined)
  const shown = visibleResult(check)
  const hasProblems = shown !== undefined && shown.counts.problems > 0
  useRescuedFocus(hasProblems, () => document.getElementById('map-title')?.focus())
  const start = () => {
    if (mappingErrors.length > 0) {
      const wrongSelect = step.current?.querySelector<HTMLElement>('[aria-invalid]')
      // No select is wrong if no column is mapped to the name.
      const target = wrongSelect ?? errors.current
      target?.focus()
      return
    }
    const verdict = check.state === 'done' ? check.result?.verdict : undefined
    if (!verdict || verdict.ready === 0) return
    close()
    sending.send({ file: opened.file, options: opened.options, mapping, corrections, verdict })
  }
  // The upload has a copy of the corrections and the mapping, so a later change would not be imported.
  const isUploading = sending.upload !== undefined
  return (
    <section ref={step} aria-labelledby="map-title" className="flex grow flex-col gap-4">
      <StepHeading id="map-title">{t`Map Columns`}</StepHeading>
      <div ref={errors} tabIndex={-1} className="grid gap-4 outline-none empty:hidden">
        {mappingErrors.map(error => (
          <Notice key={textOf(error.message)} kind="error">
            {textOf(error.message)}
          </Notice>
        ))}
      </div>
      <div inert={isUploading} className="empty:hidden inert:opacity-60">
        <CheckBar
          work={work}
          onCorrections={() => setPanel('corrections')}
          onDuplicates={() => setPanel('duplicates')}
        />
      </div>
      <FileNotices notices={damageOf(check, opened)} />
      <div className="card overflow-hidden">
        <div className="grid gap-3 border-b border-line p-4">
          <FileSummary opened={opened} />
          <div inert={isUploading} className="empty:hidden inert:opacity-60">
            <RememberedNotice work={work} />
          </div>
        </div>
        <MappingList work={work} opened={opened} isOff={isUploading} />
      </div>
      <div className="card overflow-hidden">
        <h3 className="border-b border-line px-4 py-3 text-base font-semibold">{t`First rows`}</h3>
        <PreviewTable head={opened.head} mapping={mapping} changes={work.changes} />
      </div>
      {hasProblems && (
        <div inert={isUploading} className="inert:opacity-60">
          <ProblemPanel work={work} opened={opened} shown={shown} />
        </div>
      )}
      <CorrectionsPanel work={work} open={panel === 'corrections'} onClose={close} />
      {shown && <DuplicatesPanel work={work} shown={shown} open={panel === 'duplicates'} onClose={close} />}
      <Footer work={work} sending={sending} onBack={onBack} onStart={start} />
    </section>
  )
}

/** Returns the notice about damaged characters if the check of all rows found some that the first rows didn't have. */
function damageOf({ result }: Check, { head }: OpenFile): Message[] {
  const { damagedCharacters } = core.texts().import
  const isKnown = head.notices.some(({ code }) => code === damagedCharacters.code)
  return result?.isDamaged && !isKnown ? [damagedCharacters] : []
}

/** Says whether the mapping of an earlier import is used, with a button to switch to the other mapping. */
function RememberedNotice({ work: { remembered } }: { work: Import }) {
  if (!remembered) return null
  const { isUsed, importedAt, use } = remembered
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg bg-subtle px-3.5 py-1.5">
      <History aria-hidden className="size-4 shrink-0 text-muted" />
      <p role="status">
        {isUsed
          ? t`Mapped as in your import on ${day(importedAt)}`
          : t`You mapped a similar file differently on ${day(importedAt)}`}
      </p>
      <Button
        kind="ghost"
        className="ml-auto h-8! px-2.5! max-md:h-touch! touch:h-touch!"
        onClick={() => startTransition(() => use(!isUsed))}
      >
        {isUsed ? t`Undo` : t`Use that mapping`}
      </Button>
    </div>
  )
}

/** Returns a text that says how many rows will be imported, or why none can be imported yet, and whether any can. */
function summarizeImport({ check }: Import): { text?: string; isReady: boolean } {
  const verdict = check.state === 'done' ? check.result?.verdict : undefined
  if (!verdict)
    return { text: check.state === 'running' ? t`Checking every row…` : undefined, isReady: false }
  if (verdict.ready === 0) {
    const text = t`No rows can be imported. Correct the problems, or map the columns differently.`
    return { text, isReady: false }
  }
  const [ready, out] = [count(verdict.ready), count(verdict.failed + verdict.leftOut)]
  const text = out === '0' ? t`${ready} will be imported` : t`${ready} will be imported, ${out} will not`
  return { text, isReady: true }
}

type FooterProps = { work: Import; sending: Sending; onBack: () => void; onStart: () => void }

function Footer({ work, sending: { upload, refusal, stop }, onBack, onStart }: FooterProps) {
  const { text, isReady } = summarizeImport(work)
  return (
    <StepFooter>
      <ErrorNotice message={refusal} />
      <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
        {upload ? (
          <div className="min-w-56 flex-1">
            <ProgressBar
              label={t`Uploading the file`}
              value={upload.sent}
              max={upload.whole}
              text={
                upload.sent < upload.whole
                  ? t`${size(upload.sent)} of ${size(upload.whole)}`
                  : t`Waiting for the server…`
              }
            />
          </div>
        ) : (
          <p role="status" className={cx('mr-auto tabular-nums', isReady ? 'font-medium' : 'text-muted')}>
            {text}
          </p>
        )}
        <div className="flex flex-wrap gap-2 max-sm:w-full">
          {upload ? (
            <Button onClick={stop}>{t`Cancel upload`}</Button>
          ) : (
            <Button className="max-sm:px-3.5" onClick={onBack}>
              <ArrowLeft aria-hidden className="size-4 sm:hidden" />
              <span className="max-sm:sr-only">{t`Back`}</span>
            </Button>
          )}
          <Button
            kind="primary"
            className="max-sm:flex-1"
            busy={upload !== undefined}
            ariaDisabled={!isReady && work.mappingErrors.length === 0}
            // The second click of a double click on Next, where this button now is, starts nothing.
            onClick={({ detail }) => detail < 2 && onStart()}
          >
            {t`Import Contacts`}
          </Button>
        </div>
      </div>
    </StepFooter>
  )
}
