import { t } from '@lingui/core/macro'
import { Lock } from 'lucide-react'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import { core } from '~/core'
import { textOf } from '~/language'
import { paths } from '~/lib/paths'
import { usePermissions } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { buttonClass } from '~/ui/Button'
import { ErrorNotice } from '~/ui/Notice'
import { Page } from '~/ui/Page'
import { State } from '~/ui/State'
import { Unsaved } from '~/ui/Unsaved'
import { useUnsavedChanges } from '~/ui/unsavedChanges'
import { ChooseStep } from './ChooseStep'
import { MapStep } from './MapStep'
import { PageDropTarget } from './PageDropTarget'
import { ProgressStep } from './ProgressStep'
import { Steps } from './Steps'
import { useImport } from './useImport'
import { useSend } from './useSend'

/**
 * The page of the import wizard. The URL of its third step contains the import job's id, so the step survives a reload.
 */
export function ImportPage() {
  useTitle(t`Import Contacts`)
  const [params] = useSearchParams()
  const session = params.get('session')
  const { can_create } = usePermissions(paths.contacts)
  return (
    <Page
      title={t`Import Contacts`}
      tall
      subtitle={
        session
          ? t`Your file is imported on the server.`
          : t`Your file is checked on this device. Nothing is uploaded until you import.`
      }
    >
      {!can_create ? (
        <div className="card">
          <State
            icon={<Lock className="size-6" />}
            title={t`You can't import contacts`}
            action={
              <Link to={paths.contacts} className={buttonClass()}>
                {t`Go to the contacts`}
              </Link>
            }
          >
            {textOf(core.texts().general.notAllowed)}
          </State>
        </div>
      ) : session ? (
        <>
          <Steps current={3} />
          <ProgressStep key={session} sessionId={session} />
        </>
      ) : (
        <Preparation />
      )}
    </Page>
  )
}

/** The state of the history entry of step 2. */
const MAP_STEP = { isMapStep: true }

/**
 * The first two steps of the wizard, which run on this device: choosing the file, and mapping its columns. Step 2 has a
 * history entry of its own, so that Back leads to step 1, which has the file until it is sent.
 */
function Preparation() {
  const work = useImport()
  const navigate = useNavigate()
  const { state } = useLocation()
  const isMapEntry = (state as Partial<typeof MAP_STEP> | null)?.isMapStep === true
  const sending = useSend(async session => {
    work.forget()
    await navigate(`?${new URLSearchParams({ session })}`, { replace: true })
  })
  // Marked as unsaved, so that a new version doesn't reload the page, which would lose the file.
  useUnsavedChanges(work.opened !== undefined)
  // After a reload the entry of step 2 has no file. During an upload Back keeps step 2, which shows the progress.
  const step = work.opened && (isMapEntry || sending.upload) ? 2 : 1
  const back = () => void navigate(-1)
  const choose = (file: File) => {
    if (isMapEntry) back()
    work.choose(file)
  }
  return (
    <>
      <Steps current={step} />
      {/* After Back during an upload that then fails. Step 2 shows the error itself. */}
      {step === 1 && <ErrorNotice className="mb-4" message={sending.refusal} />}
      {step === 2 && work.opened ? (
        <MapStep work={work} opened={work.opened} sending={sending} onBack={back} />
      ) : (
        <ChooseStep
          work={work}
          onChoose={choose}
          onNext={() => void navigate(paths.newImport, { state: MAP_STEP })}
        />
      )}
      {!sending.upload && <PageDropTarget onDrop={choose} />}
      <Unsaved
        dirty={work.isTouched || sending.upload !== undefined}
        isAsking={false}
        // The user is asked before a reload, because the file must be chosen again after it.
        isDraftStored={false}
        title={t`Leave this import?`}
        description={t`Nothing has been imported. Your mapping and corrections will be lost.`}
        onKeep={() => undefined}
        onDiscard={work.forget}
      />
    </>
  )
}
