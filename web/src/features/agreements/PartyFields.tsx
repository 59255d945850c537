import { t } from '@lingui/core/macro'
import { useEffect, useMemo, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { type ContactSummary, type CustomerSummary, core } from '~/core'
import { paths } from '~/lib/paths'
import { useRequest } from '~/lib/request'
import { useCanRead } from '~/lib/session'
import { shownText } from '~/lib/words'
import { CustomerLink, NewTabLink } from '~/records/CustomerLink'
import { findCustomers } from '~/records/findCustomers'
import { MAX_SUGGESTIONS } from '~/records/useSuggestions'
import { Sentence } from '~/ui/Sentence'
import { RecordField } from './RecordField'
import type { AgreementValues } from './values'

async function findContacts(search: string, signal: AbortSignal) {
  const query = { page: 1, limit: MAX_SUGGESTIONS, search }
  const { data, pagination } = await core.listRecords('contacts', query, signal)
  return { found: data, total: pagination.totalContacts }
}

type Props = {
  form: UseFormReturn<AgreementValues>
  /** The names of the fields that can't be changed. */
  fixed: ReadonlySet<string>
}

/** The customer and the contact of an agreement, for users who may read those. */
export function PartyFields({ form, fixed }: Props) {
  const mayReadCustomers = useCanRead('customers', paths.customers)
  const mayReadContacts = useCanRead('contacts', paths.contacts)
  const [customer, setCustomer] = useState<CustomerSummary>()
  return (
    <>
      {mayReadCustomers && (
        <RecordField<CustomerSummary>
          form={form}
          name="customer"
          idName="customer_id"
          label={t`Customer`}
          disabled={fixed.has('customer_id')}
          help={t`Type a name, email or address, and choose the customer.`}
          chosen={<CustomerLink id={form.watch('customer_id')} chosen={customer} />}
          onChoose={setCustomer}
          find={findCustomers}
          idOf={customer => customer.customer_id}
          titleOf={customer => shownText(customer.name)}
          noteOf={({ customerNumber, email }) =>
            [customerNumber, shownText(email)].filter(Boolean).join(' · ')
          }
          nothing={t`No customer matches. Add the customer first.`}
          failed={t`Couldn't search customers.`}
        />
      )}
      {mayReadContacts && <ContactField form={form} disabled={fixed.has('contact_id')} />}
    </>
  )
}

type ContactProps = { form: UseFormReturn<AgreementValues>; disabled: boolean }

function ContactField({ form, disabled }: ContactProps) {
  // The agreement has only the id of its contact.
  const id = form.formState.defaultValues?.contact_id
  const request = useMemo(
    () => (id ? (signal: AbortSignal) => core.getRecord('contacts', id, signal) : undefined),
    [id],
  )
  const { outcome } = useRequest(request)
  // For a moment, the outcome is that of the contact before.
  const name = outcome?.ok && outcome.value._id === id ? shownText(outcome.value.name) : undefined
  const [chosen, shown] = form.watch(['contact_id', 'contact'])
  useEffect(() => {
    // Another one may have been chosen meanwhile.
    if (name && chosen === id) form.resetField('contact', { defaultValue: name })
  }, [form, id, name, chosen])
  return (
    <RecordField<ContactSummary>
      form={form}
      name="contact"
      idName="contact_id"
      label={t`Contact`}
      disabled={disabled}
      help={t`The person to contact, if not the customer.`}
      chosen={
        shown ? (
          <Sentence text={name => t`Linked to contact ${name}.`}>
            <NewTabLink to={paths.contact(chosen)}>{shown}</NewTabLink>
          </Sentence>
        ) : outcome?.ok === false ? (
          t`This contact couldn't be loaded.`
        ) : (
          t`Linked to a contact.`
        )
      }
      find={findContacts}
      idOf={contact => contact._id}
      titleOf={contact => shownText(contact.name)}
      noteOf={({ phone, email }) => [email, phone].filter(Boolean).join(' · ')}
      nothing={t`No contact matches.`}
      failed={t`Couldn't search contacts.`}
    />
  )
}
