import { t } from '@lingui/core/macro'
import { useRef } from 'react'
import { type Corporation, core } from '~/core'
import { isConflict, isGone } from '~/core/problem'
import { textOf } from '~/language'
import { useDraftForm } from '~/lib/draftForm'
import { createResolver, useSubmit } from '~/lib/form'
import { removeOnce } from '~/lib/removal'
import { DraftNotice } from '~/ui/DraftNotice'
import { FormModal } from '~/ui/FormModal'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'
import { declineDraftOf } from './kind'

type Props = {
  corporation: Corporation
  /** Called when the dialog is closed without declining. `isStale`: another user approved or deleted it. */
  onClose: (isStale: boolean) => void
  onDeclined: () => void
}

/** The dialog that deletes a corporation that waits for approval, and mails the applicant a reason. */
export function DeclineDialog({ corporation, onClose, onDeclined }: Props) {
  const { corp_id, corp_name } = corporation
  const { form, discardDraft } = useDraftForm({
    draft: declineDraftOf(corp_id),
    mode: 'onTouched',
    resolver: createResolver((rules, values) => rules.checkDecline(values)),
    defaultValues: { reason: '' },
  })
  const { control, formState } = form
  const isStale = useRef(false)
  const { submit, error } = useSubmit(form, t`Failed to decline the sign-up`, async values => {
    try {
      // Not the key of a deletion, which mails no reason.
      await removeOnce(`decline ${corp_id}`, () => core.declineCorporation(corp_id, values))
    } catch (thrown) {
      isStale.current ||= isGone(thrown) || isConflict(thrown)
      throw thrown
    }
    toast.success(textOf(core.texts().corporations.declined))
    onDeclined()
  })
  return (
    <FormModal
      danger
      title={t`Decline ${corp_name}?`}
      description={t`The applicant gets an email that the sign-up was declined. The corporation is deleted, which can't be undone.`}
      submit={t`Decline sign-up`}
      busy={formState.isSubmitting}
      dirty={formState.isDirty}
      error={error}
      onSubmit={submit}
      onClose={() => onClose(isStale.current)}
    >
      <DraftNotice onDiscard={discardDraft} className="mb-4" />
      <TextField
        control={control}
        name="reason"
        label={t`Reason`}
        help={t`The applicant sees this in the email.`}
        lines={3}
      />
    </FormModal>
  )
}
