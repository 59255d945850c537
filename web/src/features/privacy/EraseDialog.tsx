import { t } from '@lingui/core/macro'
import { Download } from 'lucide-react'
import { useRef } from 'react'
import { useForm } from 'react-hook-form'
import { type Certificate, core, type PersonalData } from '~/core'
import type { ListsCore } from '~/core/lists'
import { useSubmit } from '~/lib/form'
import { EmailField } from '~/records/fields'
import { Button } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { SmallDialogActions } from '~/ui/DialogActions'
import { ErrorNotice, Notice } from '~/ui/Notice'
import { saveCertificate } from './certificate'
import { Parts } from './Parts'

type Props = {
  email: string
  data: PersonalData
  rules: ListsCore
  /** The certificate of the erasure; undefined until the data is erased. */
  certificate: Certificate | undefined
  onErased: (certificate: Certificate) => void
  /** Called if the request fails. The data may be erased even so, if only the response was lost. */
  onFailed: () => void
  onClose: () => void
}

/**
 * The dialog that lists what would be erased and kept, lets the user erase a person's data once the e-mail is typed, and
 * shows the certificate.
 */
export function EraseDialog(props: Props) {
  const { certificate } = props
  return certificate ? <Done {...props} certificate={certificate} /> : <Question {...props} />
}

function Question({ email, data, rules, onErased, onFailed, onClose }: Props) {
  const form = useForm({ defaultValues: { email: '' } })
  const { isSubmitting } = form.formState
  const isTyped = form.watch('email').trim().toLowerCase() === email.toLowerCase()
  const close = () => !isSubmitting && onClose()
  const { submit, error } = useSubmit(form, t`Failed to erase the personal data`, async () => {
    if (!isTyped) return
    try {
      const reply = await core.sendJson('POST', '/api/privacy/erase', { email })
      onErased((reply as { data: Certificate }).data)
    } catch (failure) {
      onFailed()
      throw failure
    }
  })
  return (
    <Dialog open title={t`Erase personal data`} description={email} onClose={close}>
      <Notice kind="warning" className="mt-4 mb-4">
        {t`This cannot be undone. Erased values can't be restored, not even from the trash or the history.`}
      </Notice>
      <Parts {...data} rules={rules} titles={{ erased: t`What is erased`, kept: t`What is kept, and why` }} />
      {/* Enter does nothing: a dangerous button isn't the default button of its form. */}
      <form noValidate onSubmit={event => event.preventDefault()} className="mt-5">
        <EmailField control={form.control} name="email" label={t`Type ${email} to confirm`} />
        <ErrorNotice scrollsIntoView className="mt-4" message={error} />
        <SmallDialogActions>
          <Button
            kind="danger"
            busy={isSubmitting}
            ariaDisabled={!isTyped}
            onClick={event => void submit(event)}
          >
            {t`Erase`}
          </Button>
          <Button kind="primary" onClick={close}>
            {t`Cancel`}
          </Button>
        </SmallDialogActions>
      </form>
    </Dialog>
  )
}

function Done({ email, certificate, rules, onClose }: Props & { certificate: Certificate }) {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Dialog
      open
      title={t`Certificate of erasure`}
      description={email}
      initialFocus={button}
      onClose={onClose}
    >
      <Notice kind="success" className="mt-4 mb-4">
        {t`The personal data was erased. The certificate doesn't say whose data it was.`}
      </Notice>
      <Parts {...certificate} rules={rules} titles={{ erased: t`What was erased`, kept: t`What was kept` }} />
      <SmallDialogActions>
        <Button ref={button} onClick={() => saveCertificate(certificate, rules)}>
          <Download aria-hidden className="size-4" />
          {t`Download certificate`}
        </Button>
        <Button kind="primary" onClick={onClose}>
          {t`Close`}
        </Button>
      </SmallDialogActions>
    </Dialog>
  )
}
