import { t } from '@lingui/core/macro'
import type { Contact, ContactInput, ContactSummary } from '~/core'
import { messagesOf } from '~/core/problem'
import { sentencesOf } from '~/language'
import { EmailField, PhoneField, WebsiteField } from '~/records/fields'
import { inputsOf } from '~/records/inputs'
import { DuplicateNotice } from '~/records/merge/DuplicateNotice'
import { RecordForm } from '~/records/RecordForm'
import type { FormDialog } from '~/records/useDialogs'
import { formTitles, useKindForm } from '~/records/useKindForm'
import { TextField } from '~/ui/TextField'
import { kind } from './kind'

// The form has no field for `otherDetails` and doesn't send them, so the server keeps their values.
type Input = Required<Omit<ContactInput, 'otherDetails'>>

const inputOf = (contact?: ContactSummary): Input =>
  inputsOf(['name', 'email', 'phone', 'website', 'address'], contact)

const labels = {
  name: t`Name`,
  email: t`Email`,
  phone: t`Phone`,
  website: t`Website`,
  address: t`Address`,
}

/** The form that creates or edits a contact. */
export function ContactForm({ record: contact, onClose, onSaved }: FormDialog<ContactSummary, Contact>) {
  const state = useKindForm({
    kind,
    record: contact,
    inputOf,
    labels,
    check: (rules, values) =>
      contact ? rules.checkContactUpdate(values, contact.website) : rules.checkContact(values),
    onSaved,
    // If a contact can't be created, all error messages are also shown together above the form.
    describeError: (message, thrown) => (!contact && sentencesOf(messagesOf(thrown))) || message,
  })
  const { field, form, sentAt } = state
  const [name, email, phone, address] = form.watch(['name', 'email', 'phone', 'address'])
  return (
    <RecordForm
      state={state}
      {...formTitles(kind, contact)}
      title={contact ? t`Edit Contact` : t`Create New Contact`}
      description={contact ? kind.nameOf(contact) : t`Only the name is required.`}
      onClose={onClose}
    >
      <DuplicateNotice
        kind={kind}
        values={{ name, email, phone, address }}
        except={contact?._id}
        createdBefore={sentAt}
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
