import { useEffect, useState } from 'react'
import type { DefaultValues, UseFormReturn } from 'react-hook-form'
import type { CustomerSummary } from '~/core'
import { rebase } from '~/lib/rebase'
import { useCustomerDetails } from './useCustomerDetails'

/**
 * Loads the stored social security number into a customer's form. The form can be saved before that: an untouched number
 * isn't sent, so that the server keeps it.
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
    /** The value of the untouched field; undefined without a stored number. */
    stored: isRequested ? loaded : undefined,
    isLoading: isRequested && !outcome,
    isFailed: outcome?.ok === false,
    retry,
  }
}
