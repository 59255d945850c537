import { useEffect, useState } from 'react'
import type { DefaultValues, UseFormReturn } from 'react-hook-form'
import type { CustomerSummary } from '~/core'
import { rebase } from '~/lib/rebase'
import { useCustomerDetails } from './useCustomerDetails'

/**
 * Loads the stored social security number into a customer's form. The form can be saved before it has loaded: an
 * unchanged number isn't sent, so the server keeps the stored one.
 */
export function useStoredSocialSecurityNumber<T extends { socialSecurityNumber: string }>(
  customer: CustomerSummary | undefined,
  version: number | undefined,
  form: UseFormReturn<T>,
) {
  const { isRequested, outcome, retry } = useCustomerDetails(customer, version)
  const [loaded, setLoaded] = useState('')
  const number = outcome?.ok ? outcome.value.socialSecurityNumber : undefined
  useEffect(() => {
    if (number === undefined) return
    rebase(form, { ...form.formState.defaultValues, socialSecurityNumber: number } as DefaultValues<T>)
    setLoaded(number)
  }, [form, number])
  return {
    /** The field's value as loaded, '' until then. Undefined if the customer is new or a company. */
    stored: isRequested ? loaded : undefined,
    isLoading: isRequested && !outcome,
    isFailed: outcome?.ok === false,
    retry,
  }
}
