import { counted } from '~/lib/format'
import { Button } from '~/ui/Button'
import { Notice } from '~/ui/Notice'
import { toast } from '~/ui/Toasts'
import { CheckBar } from './CheckBar'
import { FileSummary } from './FileSummary'
import { MappingTable } from './MappingTable'
import { ProblemList } from './ProblemList'
import { StepHeading } from './StepHeading'
import type { Check } from './useCheck'
import type { Import, OpenFile } from './useImport'

type Props = { work: Import; opened: OpenFile; sending: boolean; onBack: () => void; onImport: () => void }

/** What the import button will do, in a sentence. */
function prospect(check: Check): string | undefined {
  if (check.state === 'running') return 'Checking every row before anything is sent.'
  if (check.state !== 'done') return undefined
  const { ready, failed } = check.verdict
  if (ready === 0) return 'No row can be imported. Correct the file, or map its columns differently.'
  const left = failed > 0 ? `, ${counted(failed, 'row')} with problems left out` : ''
  return `${counted(ready, 'contact')} will be imported${left}.`
}

/** What is being sent can't be changed any more. */
const nothing = () => undefined

/** Step 2: what each column means. Meanwhile the whole file is checked. */
export function MapStep({ work, opened, sending, onBack, onImport }: Props) {
  const { check, mapping, mappingErrors, map, problems } = work
  const ready = check.state === 'done' && check.verdict.ready > 0
  const start = () => {
    const broken = mappingErrors[0]
    if (broken) toast.error(broken.message)
    else if (ready) onImport()
  }
  return (
    <section aria-labelledby="map-title" className="grid gap-4">
      <StepHeading id="map-title">Map Columns</StepHeading>
      {mappingErrors.map(error => (
        <Notice key={error.message} kind="error">
          {error.message}
        </Notice>
      ))}
      <CheckBar check={check} />
      <div className="card overflow-hidden">
        <FileSummary opened={opened} />
        <MappingTable
          head={opened.head}
          mapping={mapping}
          errors={mappingErrors}
          onMap={sending ? nothing : map}
        />
      </div>
      {check.state === 'done' && check.verdict.failed > 0 && (
        <ProblemList key={check.verdict.digest} problems={problems} result={check} />
      )}
      <div className="sticky bottom-0 z-10 -mx-4 flex flex-wrap items-center justify-end gap-x-4 gap-y-2 border-t border-line bg-ground px-4 py-3 md:-mx-6 md:px-6">
        <p role="status" className="mr-auto text-muted">
          {prospect(check)}
        </p>
        <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
          <Button off={sending} onClick={onBack}>
            Back
          </Button>
          <Button kind="primary" busy={sending} off={!ready && mappingErrors.length === 0} onClick={start}>
            Import Contacts
          </Button>
        </div>
      </div>
    </section>
  )
}
