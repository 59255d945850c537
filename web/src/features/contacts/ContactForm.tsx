import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { core } from '~/core'
import { checkedBy, showRefusal } from '~/lib/form'
import { FormModal } from '~/ui/FormModal'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'

type Props = { onClose: () => void; onSaved: () => void }

/** Creates a contact. */
export function ContactForm({ onClose, onSaved }: Props) {
  const [error, setError] = useState<string>()
  const form = useForm({
    mode: 'onTouched',
    resolver: checkedBy((rules, values) => rules.checkContact(values)),
    defaultValues: { name: '', email: '', phone: '', website: '', address: '' },
  })
  const { control, formState } = form
  const save = form.handleSubmit(async values => {
    setError(undefined)
    try {
      await core.createContact(values)
      toast.success(core.texts().contacts.created)
      onSaved()
      onClose()
    } catch (thrown) {
      setError(showRefusal(form, thrown, core.texts().contacts.createFailed))
    }
  })
  return (
    <FormModal
      open
      title="Create New Contact"
      description="Everything but the name may be left empty."
      submit="Create contact"
      busy={formState.isSubmitting}
      dirty={formState.isDirty}
      error={error}
      onSubmit={save}
      onClose={onClose}
    >
      <div className="grid gap-x-4 gap-y-2 md:grid-cols-2">
        <TextField
          control={control}
          name="name"
          label="Name"
          required
          autoComplete="off"
          className="md:col-span-2"
        />
        <TextField
          control={control}
          name="email"
          label="Email"
          type="email"
          inputMode="email"
          autoComplete="off"
          spellCheck={false}
        />
        <TextField
          control={control}
          name="phone"
          label="Phone"
          type="tel"
          inputMode="tel"
          autoComplete="off"
        />
        <TextField
          control={control}
          name="website"
          label="Website"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          className="md:col-span-2"
        />
        <TextField
          control={control}
          name="address"
          label="Address"
          autoComplete="off"
          className="md:col-span-2"
        />
      </div>
    </FormModal>
  )
}
