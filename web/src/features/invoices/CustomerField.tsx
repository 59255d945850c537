import { t } from '@lingui/core/macro'
import { Unlink } from 'lucide-react'
import { type ComponentProps, useEffect, useRef, useState } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { type CustomerSummary, core } from '~/core'
import { filterBy } from '~/lib/query'
import { rebase } from '~/lib/rebase'
import { shownText, unlessErased } from '~/lib/words'
import { CustomerLink } from '~/records/CustomerLink'
import { findCustomers } from '~/records/findCustomers'
import { SuggestField } from '~/records/SuggestField'
import { IconButton } from '~/ui/IconButton'
import type { InvoiceValues } from './values'

/** Returns the website on the newest invoice of the customer with this id; undefined without one, or if it is erased. */
const latestWebsite = async (id: string) => {
  const query = { page: 1, limit: 1, filter: filterBy('customer_id', id) }
  const [newest] = (await core.listInvoices(query)).data
  return newest?.website && unlessErased(newest.website)
}

type Field = Pick<
  ComponentProps<typeof SuggestField<InvoiceValues, CustomerSummary>>,
  'control' | 'name' | 'label'
>

type Props = Field & {
  form: UseFormReturn<InvoiceValues>
  /** The customer with whom a new invoice begins. */
  first: CustomerSummary | undefined
}

/** The fields that follow from the customer, each with the field that has what the form has filled in. */
const FILLED = { email: 'filledEmail', website: 'filledWebsite' } as const

/**
 * The form field for the customer of an invoice: any text, or a suggested customer, to whom the invoice is then linked.
 * A chosen customer also fills in the e-mail and, from that customer's newest invoice, the website, unless the user has
 * typed them. What was filled in is removed with the link.
 */
export function CustomerField({ form, first, ...field }: Props) {
  const linked = form.watch('customer_id')
  const [chosen, setChosen] = useState(first)
  const input = useRef<HTMLInputElement>(null)
  const set = (name: keyof InvoiceValues, value: string, shouldValidate = false) =>
    form.setValue(name, value, { shouldDirty: true, shouldTouch: true, shouldValidate })
  const link = (id: string) => {
    form.clearErrors('customer_id')
    set('customer_id', id)
    for (const name of ['email', 'website'] as const) {
      const filled = form.getValues(FILLED[name])
      if (filled && form.getValues(name) === filled) set(name, '')
      set(FILLED[name], '')
    }
  }
  const fill = (name: keyof typeof FILLED, value: string | undefined) => {
    if (!value || form.getValues(name)) return
    set(FILLED[name], value)
    set(name, value, true)
  }
  const choose = (customer: CustomerSummary) => {
    const { customer_id: id } = customer
    setChosen(customer)
    link(id)
    fill('email', unlessErased(customer.email))
    // A failure is ignored, because the user can type the website.
    latestWebsite(id).then(
      website => form.getValues('customer_id') === id && fill('website', website),
      () => {},
    )
  }
  useEffect(() => {
    const id = first?.customer_id
    if (!id) return
    latestWebsite(id).then(
      website => {
        if (!website || form.getValues('customer_id') !== id || form.getValues('website')) return
        // A value with which the form begins: it is no unsaved change.
        rebase<InvoiceValues>(form, { ...form.formState.defaultValues, website, filledWebsite: website })
      },
      () => {},
    )
  }, [form, first])
  return (
    <SuggestField
      {...field}
      required
      className="sm:col-span-2"
      help={linked ? <CustomerLink id={linked} chosen={chosen} /> : t`Choose a customer, or type any name.`}
      error={form.formState.errors.customer_id?.message}
      find={findCustomers}
      idOf={customer => customer.customer_id}
      titleOf={customer => customer.name}
      noteOf={({ customerNumber, email }) => `${customerNumber} · ${shownText(email)}`}
      nothing={t`No customer matches. The name is kept as typed.`}
      failed={t`Couldn't search customers.`}
      onChoose={choose}
      onType={() => linked && link('')}
      inputRef={element => {
        input.current = element
      }}
      end={
        linked && (
          <IconButton
            label={t`Remove the link to the customer`}
            icon={<Unlink aria-hidden className="size-4" />}
            onClick={() => {
              // This button disappears.
              input.current?.focus()
              link('')
            }}
          />
        )
      }
    />
  )
}
