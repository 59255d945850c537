import { t } from '@lingui/core/macro'
import { type CorporationUser, core } from '~/core'
import { textOf } from '~/language'
import { useDraftForm } from '~/lib/draftForm'
import { createResolver, useSubmit } from '~/lib/form'
import { DraftNotice } from '~/ui/DraftNotice'
import { FormModal } from '~/ui/FormModal'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'
import { userName } from './userName'

type Props = { user: CorporationUser; onClose: () => void; onBanned: () => void }

/** The dialog that bans a user, with a reason that the user will see. */
export function BanUserDialog({ user, onClose, onBanned }: Props) {
  const { form, discardDraft } = useDraftForm({
    draft: `ban of ${user.id}`,
    mode: 'onTouched',
    resolver: createResolver((rules, values) => rules.checkBan(values)),
    defaultValues: { reason: '' },
  })
  const { control, formState } = form
  const { submit, error } = useSubmit(form, t`Failed to ban user`, async values => {
    const message = await core.banUser(user.id, values)
    toast.success(textOf(message))
    onBanned()
  })
  return (
    <FormModal
      danger
      title={t`Ban ${userName(user)}?`}
      description={t`${user.email} will be signed out everywhere and can't sign in until the ban is lifted.`}
      submit={t`Ban user`}
      busy={formState.isSubmitting}
      dirty={formState.isDirty}
      error={error}
      onSubmit={submit}
      onClose={onClose}
    >
      <DraftNotice onDiscard={discardDraft} className="mb-4" />
      <TextField
        control={control}
        name="reason"
        label={t`Reason`}
        help={t`The user sees this when they try to sign in.`}
        required
        lines={3}
      />
    </FormModal>
  )
}
