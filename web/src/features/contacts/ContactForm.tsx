import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { type Contact, type ContactInput, type ContactSummary, core } from '~/core'
import { useConflict } from '~/lib/conflict'
import { useDraftForm } from '~/lib/draftForm'
import { createResolver, showErrors } from '~/lib/form'
import { problemOf } from '~/lib/problem'
import { Conflict } from '~/ui/Conflict'
import { FormModal } from '~/ui/FormModal'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'

// Other details aren't asked for here; the server keeps those there are.
type Input = Required<Omit<ContactInput, 'otherDetails'>>

type Props = {
  /** The contact to edit; a new one without it. */
  contact?: ContactSummary
  /** Closed without saving; what is behind it is stale where somebody else has changed the contact. */
  onClose: (isStale: boolean) => void
  onSaved: (contact: Contact) => void
}

const inputOf = (contact?: ContactSummary): Input => ({
  name: contact?.name ?? '',
  email: contact?.email ?? '',
  phone: contact?.phone ?? '',
  website: contact?.website ?? '',
  address: contact?.address ?? '',
})

const fields = {
  name: t`Name`,
  email: t`Email`,
  phone: t`Phone`,
  website: t`Website`,
  address: t`Address`,
}

/** Creates or edits a contact. */
export function ContactForm({ contact, onClose, onSaved }: Props) {
  const texts = core.texts().contacts
  const [error, setError] = useState<string>()
  const { form, version } = useDraftForm({
    draft: `contact ${contact?._id ?? ''}`,
    version: contact?.version,
    mode: 'onTouched',
    resolver: createResolver((rules, values: Input) =>
      contact ? rules.checkContactUpdate(values, contact.website) : rules.checkContact(values),
    ),
    defaultValues: inputOf(contact),
  })
  const { control, formState } = form
  const conflict = useConflict<Input, ContactSummary>({ form, version, inputOf, fields })
  const save = form.handleSubmit(async values => {
    setError(undefined)
    try {
      const saved = contact
        ? await core.updateContact(contact._id, { ...values, version: conflict.version })
        : await core.createContact(values)
      toast.success(contact ? texts.updated : texts.created)
      onSaved(saved)
    } catch (thrown) {
      if (conflict.handle(thrown)) return
      const sentence = showErrors(form, thrown, contact ? texts.updateFailed : texts.createFailed)
      // A contact that can't be created says every reason in one place too, whichever field it belongs to.
      setError((!contact && problemOf(thrown)?.errors.join(', ')) || sentence)
    }
  })
  return (
    <FormModal
      open
      title={contact ? t`Edit Contact` : t`Create New Contact`}
      description={contact?.name ?? t`Only the name is required.`}
      submit={contact ? t`Save changes` : t`Create contact`}
      busy={formState.isSubmitting}
      dirty={formState.isDirty}
      error={error}
      onSubmit={save}
      onClose={() => onClose(conflict.round > 0)}
    >
      <Conflict conflict={conflict} />
      <div className="grid gap-x-4 gap-y-2 md:grid-cols-2">
        <TextField
          control={control}
          name="name"
          label={fields.name}
          required
          autoComplete="off"
          className="md:col-span-2"
        />
        <TextField
          control={control}
          name="email"
          label={fields.email}
          type="email"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          control={control}
          name="phone"
          label={fields.phone}
          type="tel"
          inputMode="tel"
          autoComplete="off"
        />
        <TextField
          control={control}
          name="website"
          label={fields.website}
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          className="md:col-span-2"
        />
        <TextField
          control={control}
          name="address"
          label={fields.address}
          autoComplete="off"
          className="md:col-span-2"
        />
      </div>
    </FormModal>
  )
}
