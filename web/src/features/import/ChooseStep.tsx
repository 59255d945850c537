import { CloudUpload, LoaderCircle } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { Link } from 'react-router'
import { paths } from '~/lib/paths'
import { Button, buttonClass } from '~/ui/Button'
import { Notice } from '~/ui/Notice'
import { FileSummary } from './FileSummary'
import { PreviewTable } from './PreviewTable'
import type { Import } from './useImport'

type Props = { work: Import; onChoose: (file: File) => void; onNext: () => void }

/** Step 1: a file is chosen or dropped, and its beginning shows at once. */
export function ChooseStep({ work, onChoose, onNext }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const { opened, opening, refusal } = work
  useEffect(() => {
    // Back from a later step, whose button had the focus and is gone.
    if (document.activeElement === document.body) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <section aria-labelledby="choose-title" className="grid gap-4">
      <h2 id="choose-title" ref={heading} tabIndex={-1} className="sr-only">
        Choose a file
      </h2>
      <div className="flex flex-col items-center rounded-xl border border-dashed border-edge bg-card px-6 py-10 text-center">
        {opening ? (
          <LoaderCircle
            aria-hidden
            className="size-8 animate-spin text-accent-text motion-reduce:animate-none"
          />
        ) : (
          <CloudUpload aria-hidden className="size-8 text-accent-text" />
        )}
        <p role="status" className="mt-3 text-base font-medium [overflow-wrap:anywhere]">
          {opening ? `Reading ${opening}` : 'Drop a file anywhere on this page'}
        </p>
        <p className="mt-1 mb-4 text-muted">CSV or Excel: .csv, .xlsx, .xls</p>
        <Button onClick={() => input.current?.click()}>
          {opened || refusal ? 'Choose another file' : 'Choose a file'}
        </Button>
        <input
          ref={input}
          type="file"
          accept=".csv,.xlsx,.xls"
          aria-label="Contacts file"
          tabIndex={-1}
          className="sr-only"
          onChange={event => {
            const file = event.target.files?.[0]
            // Emptied, so that the same file can be chosen again once it was corrected.
            event.target.value = ''
            if (file) onChoose(file)
          }}
        />
      </div>
      {refusal && <Notice kind="error">{refusal}</Notice>}
      {opened && (
        <div className="card overflow-hidden">
          <FileSummary opened={opened} />
          <PreviewTable head={opened.head} />
        </div>
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Link to={paths.contacts} className={buttonClass()}>
          Cancel
        </Link>
        <Button kind="primary" off={!opened} onClick={onNext}>
          Next
        </Button>
      </div>
    </section>
  )
}
