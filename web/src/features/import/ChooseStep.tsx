import { t } from '@lingui/core/macro'
import { CloudUpload, LoaderCircle } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Link } from 'react-router'
import { textOf } from '~/language'
import { paths } from '~/lib/paths'
import { useSession } from '~/lib/session'
import { Button, buttonClass } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { FileInput } from '~/ui/FileInput'
import { ErrorNotice } from '~/ui/Notice'
import { Sentence } from '~/ui/Sentence'
import { useDebounced } from '~/ui/useDebounced'
import { drafts } from './drafts'
import { FileNotices, FileSummary, OtherSheets, ReadSettings } from './FileSummary'
import { checkedRows, columns, rows } from './figures'
import { PreviewTable } from './PreviewTable'
import { StepFooter } from './StepFooter'
import type { Import } from './useImport'

type Props = { work: Import; onChoose: (file: File) => void; onNext: () => void }

/** The file extensions that the file chooser offers. The real type is detected from the file's content. */
const KINDS = '.csv,.tsv,.txt,.xlsx,.xlsm,.xls,.xlsb,.ods'

const PLACEHOLDER_ROWS = Array.from({ length: 16 }, (_, row) => row)
const PLACEHOLDER_COLUMNS = [0, 1, 2, 3, 4]

/** Step 1 of the import: the user chooses a file, sees its first rows, and can change how it is read. */
export function ChooseStep({ work, onChoose, onNext }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  const { opened, opening, refusal, otherSheets, read } = work
  // Debounced, because a small file is read and checked within a moment.
  const announcement = useDebounced(announcementOf(work))
  useEffect(() => {
    // If the user came back from step 2, the Back button had the focus and is gone, so the heading gets the focus.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <section aria-labelledby="choose-title" className="flex grow flex-col gap-4">
      <h2 id="choose-title" ref={heading} tabIndex={-1} className="sr-only">
        {t`Choose a file`}
      </h2>
      <Chooser work={work} onChoose={onChoose} />
      <p role="status" className="sr-only">
        {announcement}
      </p>
      <ErrorNotice title={t`Failed to preview import file`} message={refusal && textOf(refusal)} />
      {otherSheets && <OtherSheets choice={otherSheets} onRead={read} />}
      {!opened && !refusal && <PreviewPlaceholder isLoading={!!opening} />}
      {opened && (
        <div
          className={cx('card overflow-hidden transition-opacity', opening && 'opacity-60')}
          aria-busy={!!opening}
        >
          <div className="grid gap-4 border-b border-line p-4">
            <FileSummary opened={opened} />
            <ReadSettings opened={opened} onRead={read} />
            <FileNotices notices={opened.head.notices} />
          </div>
          <PreviewTable head={opened.head} />
        </div>
      )}
      <StepFooter>
        <div className="flex flex-wrap justify-end gap-2">
          <Link to={paths.contacts} className={buttonClass()}>
            {t`Cancel`}
          </Link>
          <Button kind="primary" ariaDisabled={!opened || !!opening} onClick={onNext}>
            {t`Next`}
          </Button>
        </div>
      </StepFooter>
    </section>
  )
}

/** Returns what a screen reader announces about the chosen file. Its rows are counted once all are checked. */
function announcementOf({ opening, opened, check }: Import): string {
  if (opening) return t`Reading ${opening}`
  if (!opened) return ''
  const counts = check.state === 'done' ? check.result?.counts : undefined
  const facts = [counts && rows(checkedRows(counts)), columns(opened.head.fileWidth)]
  return `${opened.file.name}: ${facts.filter(Boolean).join(', ')}`
}

type ChooserProps = { work: Import; onChoose: (file: File) => void }

function Chooser({ work: { opening, opened, refusal }, onChoose }: ChooserProps) {
  const input = useRef<HTMLInputElement>(null)
  const Icon = opening ? LoaderCircle : CloudUpload
  return (
    <div className="rounded-xl border border-dashed border-edge bg-card px-4 py-3">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <Icon
          aria-hidden
          className={cx(
            'size-6 shrink-0 text-accent-text',
            opening && 'animate-spin motion-reduce:animate-none',
          )}
        />
        <div className="min-w-0 flex-1 basis-48">
          <p title={opening} className={cx('font-medium', opening && 'truncate')}>
            {opening ? (
              t`Reading ${opening}`
            ) : (
              <>
                <span className="touch:hidden">{t`Drop a file anywhere on this page`}</span>
                <span className="hidden touch:inline">{t`Choose the file with your contacts`}</span>
              </>
            )}
          </p>
          <p className="mt-0.5 text-muted">{t`CSV or Excel: .csv, .xlsx, .xls, .xlsb, .ods`}</p>
        </div>
        <Button className="max-sm:w-full" onClick={() => input.current?.click()}>
          {opened || refusal ? t`Choose another file` : t`Choose a file`}
        </Button>
      </div>
      {!opened && !refusal && <DraftHint />}
      <FileInput ref={input} accept={KINDS} label={t`Contacts file`} onChoose={onChoose} />
    </div>
  )
}

/** A placeholder in the size of the preview, so that nothing moves when the preview appears. */
function PreviewPlaceholder({ isLoading }: { isLoading: boolean }) {
  return (
    <div
      aria-hidden
      className={cx(
        'card h-0 min-h-20 grow divide-y divide-line overflow-hidden',
        isLoading ? 'animate-pulse motion-reduce:animate-none' : 'opacity-60',
      )}
    >
      {PLACEHOLDER_ROWS.map(row => (
        <div key={row} className="flex h-10 items-center gap-6 px-4">
          {PLACEHOLDER_COLUMNS.map(column => (
            <div key={column} className="flex-1 max-sm:nth-[n+4]:hidden">
              <div className={cx('h-2.5 rounded bg-line', (row + column) % 3 === 0 ? 'w-2/3' : 'w-1/2')} />
            </div>
          ))}
        </div>
      ))}
    </div>
  )
}

/**
 * Asks the user to choose the file again after a reload, because a page can't reopen it. Then the draft is restored.
 */
function DraftHint() {
  const user = useSession().profile.id
  const [name] = useState(() => drafts.last(user))
  if (!name) return null
  return (
    <p className="mt-3 max-w-2xl text-muted [overflow-wrap:anywhere]">
      <Sentence
        text={file =>
          t`Choose ${file} again to continue. Your mapping and corrections are saved, but the browser can't keep the file.`
        }
      >
        <b className="font-medium text-ink">{name}</b>
      </Sentence>
    </p>
  )
}
