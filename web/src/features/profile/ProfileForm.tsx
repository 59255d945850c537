import { t } from '@lingui/core/macro'
import { Conflict } from '~/records/Conflict'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { DraftNotice } from '~/ui/DraftNotice'
import { ErrorNotice } from '~/ui/Notice'
import { PasswordField } from '~/ui/PasswordField'
import { TextField } from '~/ui/TextField'
import type { Edit } from './useEdit'

/** The Edit Profile form. It keeps all input when saving fails. */
export function ProfileForm({ edit, onDiscard }: { edit: Edit; onDiscard: () => void }) {
  const { form, conflict, field, discardDraft, error, save, isDirty, needsPassword } = edit
  const { control, formState } = form
  const busy = formState.isSubmitting
  return (
    <Card title={t`Edit Profile`}>
      <form
        noValidate
        aria-label={t`Edit Profile`}
        onSubmit={save}
        onKeyDown={event => {
          if (event.key !== 'Escape' || !isDirty || busy) return
          // Stops the event, because the confirmation dialog that opens now would close on the same Escape.
          event.stopPropagation()
          onDiscard()
        }}
      >
        <DraftNotice onDiscard={discardDraft} className="mb-4" />
        <ErrorNotice scrollsIntoView className="mb-4" message={error} />
        <Conflict conflict={conflict} />
        <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
          <TextField {...field('first_name')} required autoComplete="given-name" />
          <TextField {...field('last_name')} required autoComplete="family-name" />
          <TextField
            {...field('email')}
            required
            type="email"
            inputMode="email"
            autoComplete="email"
            spellCheck={false}
            help={
              // The password is needed only for a new email.
              needsPassword
                ? t`Sign-in codes will be sent to this address. Check that it is right.`
                : t`You sign in with this email.`
            }
          />
          <TextField {...field('mobile')} required type="tel" inputMode="tel" autoComplete="tel" />
          {needsPassword && (
            <div className="sm:col-span-2">
              <PasswordField
                control={control}
                name="currentPassword"
                label={t`Current password`}
                autoComplete="current-password"
              />
            </div>
          )}
        </div>
        <div className="mt-3 flex flex-wrap justify-end gap-2">
          {isDirty && !busy && (
            <Button kind="ghost" onClick={onDiscard}>
              {t`Discard changes`}
            </Button>
          )}
          {/* After a conflict, Save is enabled even without changes, because saving ends the conflict. */}
          <Button kind="primary" type="submit" busy={busy} ariaDisabled={!isDirty && conflict.round === 0}>
            {t`Save changes`}
          </Button>
        </div>
      </form>
    </Card>
  )
}
