import { plural, t } from '@lingui/core/macro'
import { ArrowLeft, History } from 'lucide-react'
import { startTransition, useState } from 'react'
import { core } from '~/core'
import { count, day } from '~/lib/format'
import { Button } from '~/ui/Button'
import { Notice } from '~/ui/Notice'
import { ProgressBar } from '~/ui/ProgressBar'
import { toast } from '~/ui/Toasts'
import { CheckBar } from './CheckBar'
import { CorrectionsPanel } from './CorrectionsPanel'
import { DuplicatesPanel } from './DuplicatesPanel'
import { FileNotices, FileSummary } from './FileSummary'
import { size } from './figures'
import { MappingList } from './MappingList'
import { ProblemPanel } from './ProblemPanel'
import { StepFoot } from './StepFoot'
import { StepHeading } from './StepHeading'
import { shownOf } from './shown'
import type { Check } from './useCheck'
import type { Import, OpenFile } from './useImport'
import type { Sending } from './useSend'

type Props = { work: Import; opened: OpenFile; sending: Sending; onBack: () => void }

/** Step 2: what each column means. Meanwhile the whole file is checked, and what is wrong in it can be corrected. */
export function MapStep({ work, opened, sending, onBack }: Props) {
  const { check, mapping, mappingErrors, corrections } = work
  const [panel, setPanel] = useState<'corrections' | 'duplicates'>()
  const close = () => setPanel(undefined)
  const shown = shownOf(check)
  const start = () => {
    const broken = mappingErrors[0]
    if (broken) {
      toast.error(broken.message)
      return
    }
    const verdict = check.state === 'done' ? check.result?.verdict : undefined
    if (verdict && verdict.ready > 0)
      sending.send({ file: opened.file, options: opened.options, mapping, corrections, verdict })
  }
  return (
    <section aria-labelledby="map-title" className="flex grow flex-col gap-4">
      <StepHeading id="map-title">{t`Map Columns`}</StepHeading>
      {mappingErrors.map(error => (
        <Notice key={error.message} kind="error">
          {error.message}
        </Notice>
      ))}
      <CheckBar
        work={work}
        onCorrections={() => setPanel('corrections')}
        onDuplicates={() => setPanel('duplicates')}
      />
      <FileNotices notices={damageOf(check, opened)} />
      <div className="card overflow-hidden">
        <div className="grid gap-3 border-b border-line p-4">
          <FileSummary opened={opened} />
          <Earlier work={work} />
        </div>
        <MappingList work={work} opened={opened} isOff={sending.upload !== undefined} />
      </div>
      {shown && shown.counts.problems > 0 && <ProblemPanel work={work} opened={opened} shown={shown} />}
      <CorrectionsPanel work={work} open={panel === 'corrections'} onClose={close} />
      {shown && <DuplicatesPanel work={work} shown={shown} open={panel === 'duplicates'} onClose={close} />}
      <Foot work={work} sending={sending} onBack={onBack} onStart={start} />
    </section>
  )
}

/** Damage that only the whole file shows. */
function damageOf({ result }: Check, { head }: OpenFile): string[] {
  const { damagedCharacters } = core.texts().import
  return result?.isDamaged && !head.notices.includes(damagedCharacters) ? [damagedCharacters] : []
}

/** The mapping of an earlier import of such a file, which can be left aside. */
function Earlier({ work: { remembered } }: { work: Import }) {
  if (!remembered) return null
  const { isUsed, importedAt, use } = remembered
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1 rounded-lg bg-subtle px-3.5 py-1.5">
      <History aria-hidden className="size-4 shrink-0 text-muted" />
      <p role="status">
        {isUsed
          ? t`Mapped as in your import of ${day(importedAt)}`
          : t`Such a file was mapped otherwise on ${day(importedAt)}`}
      </p>
      <Button
        kind="ghost"
        className="ml-auto h-8! px-2.5!"
        onClick={() => startTransition(() => use(!isUsed))}
      >
        {isUsed ? t`Undo` : t`Use that mapping`}
      </Button>
    </div>
  )
}

/** What the import button does, or why it can't. */
function prospect({ check }: Import) {
  const verdict = check.state === 'done' ? check.result?.verdict : undefined
  if (!verdict)
    return { label: t`Import Contacts`, why: check.state === 'running' ? t`Checking every row` : undefined }
  const { ready, failed, leftOut } = verdict
  if (ready === 0) {
    const why = t`No row can be imported. Correct the problems, or map the columns differently.`
    return { label: t`Import Contacts`, why }
  }
  const out = count(failed + leftOut)
  const label =
    failed + leftOut > 0
      ? plural(ready, {
          one: `Import # contact, leave out ${out}`,
          other: `Import # contacts, leave out ${out}`,
        })
      : plural(ready, { one: 'Import # contact', other: 'Import # contacts' })
  return { label, isReady: true }
}

type FootProps = { work: Import; sending: Sending; onBack: () => void; onStart: () => void }

/** What comes next. While the file is sent, how far that is. */
function Foot({ work, sending: { upload, refusal, stop }, onBack, onStart }: FootProps) {
  const { label, why, isReady } = prospect(work)
  return (
    <StepFoot>
      {refusal && <Notice kind="error">{refusal}</Notice>}
      <div className="flex flex-wrap items-center justify-end gap-x-4 gap-y-2">
        {upload ? (
          <div className="min-w-56 flex-1">
            <ProgressBar
              label={t`Sending the file`}
              value={upload.sent}
              max={upload.whole}
              text={t`${size(upload.sent)} of ${size(upload.whole)}`}
            />
          </div>
        ) : (
          <p role="status" className="mr-auto text-muted">
            {why ?? <span className="sr-only">{label}</span>}
          </p>
        )}
        <div className="flex gap-2 max-sm:w-full">
          {upload ? (
            <Button onClick={stop}>{t`Stop sending`}</Button>
          ) : (
            <Button className="max-sm:px-3" onClick={onBack}>
              <ArrowLeft aria-hidden className="size-4 sm:hidden" />
              <span className="max-sm:sr-only">{t`Back`}</span>
            </Button>
          )}
          <Button
            kind="primary"
            className="tabular-nums max-sm:min-w-0 max-sm:flex-1 max-sm:px-2 max-sm:leading-4 max-sm:text-balance max-sm:whitespace-normal"
            busy={upload !== undefined}
            off={!isReady && work.mappingErrors.length === 0}
            onClick={onStart}
          >
            {label}
          </Button>
        </div>
      </div>
    </StepFoot>
  )
}
