import { t } from '@lingui/core/macro'
import { type Contact, type ContactInput, type ContactSummary, core } from '~/core'
import { messagesOf } from '~/core/problem'
import { sentencesOf, textOf } from '~/language'
import { paths } from '~/lib/paths'
import { EmailField, PhoneField, WebsiteField } from '~/records/fields'
import { DuplicateNotice } from '~/records/merge/DuplicateNotice'
import { RecordForm, useRecordForm } from '~/records/RecordForm'
import type { FormDialog } from '~/records/useDialogs'
import { TextField } from '~/ui/TextField'

// The form has no field for `otherDetails` and doesn't send them, so the server keeps their values.
type Input = Required<Omit<ContactInput, 'otherDetails'>>

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

/** The form that creates or edits a contact. */
export function ContactForm({ record: contact, onClose, onSaved }: FormDialog<ContactSummary, Contact>) {
  const state = useRecordForm({
    draft: `contact ${contact?._id ?? ''}`,
    record: contact,
    edited: contact && { resource: 'contacts', id: contact._id },
    inputOf,
    fields,
    check: (rules, values) =>
      contact ? rules.checkContactUpdate(values, contact.website) : rules.checkContact(values),
    save: (values, version) =>
      contact
        ? core.updateRecord('contacts', contact._id, { ...values, version })
        : core.createRecord('contacts', values),
    texts: {
      created: textOf(core.recordTexts('contacts').created),
      updated: textOf(core.recordTexts('contacts').updated),
      createFailed: t`Failed to create contact`,
      updateFailed: t`Failed to update contact`,
    },
    onSaved,
    // If a contact can't be created, all error messages are also shown together above the form.
    describeError: (message, thrown) => (!contact && sentencesOf(messagesOf(thrown))) || message,
  })
  const { field, form } = state
  const [name, email, phone, address] = form.watch(['name', 'email', 'phone', 'address'])
  return (
    <RecordForm
      state={state}
      title={contact ? t`Edit Contact` : t`Create New Contact`}
      description={contact?.name ?? t`Only the name is required.`}
      submit={contact ? t`Save changes` : t`Create contact`}
      onClose={onClose}
    >
      <DuplicateNotice<ContactSummary>
        list="contacts"
        values={{ name, email, phone, address }}
        except={contact?._id}
        idOf={each => each._id}
        pathOf={paths.contact}
      />
      <div className="grid gap-x-4 gap-y-2 md:grid-cols-2">
        <TextField {...field('name')} required autoComplete="off" className="md:col-span-2" />
        <EmailField {...field('email')} />
        <PhoneField {...field('phone')} />
        <WebsiteField {...field('website')} className="md:col-span-2" />
        <TextField {...field('address')} autoComplete="off" className="md:col-span-2" />
      </div>
    </RecordForm>
  )
}
