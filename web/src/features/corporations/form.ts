import { t } from '@lingui/core/macro'
import type { Control, UseFormReturn } from 'react-hook-form'
import type { Corporation, FullDetails, Organization } from '~/core'
import { EMPTY_COMPANY } from '~/records/company'

/** The name of a field of the company record. */
export type CompanyField = keyof Organization

/** The values of the corporation's form. `country` and `admin_data` are sent only by a registration. */
export type CorporationValues = Record<CompanyField, string> & {
  country: string
  allowed_resources: string[]
  admin_data: { first_name: string; last_name: string; email: string; phone: string; password: string }
  corp_active: boolean
  agreed: boolean
}

export type CorporationFormOf = UseFormReturn<CorporationValues>
export type CorporationControl = Control<CorporationValues>

export const ADDRESS = ['street_address', 'registered_city', 'postal_code', 'city'] as const
export const COMPANY = ['corp_name', ...ADDRESS, 'company_email', 'company_phone'] as const

/** The labels of the company record's fields in the form. */
export const LABELS = {
  organization_number: t`Organization Number`,
  corp_name: t`Company Name`,
  street_address: t`Street Address`,
  registered_city: t`Registered City`,
  postal_code: t`Postal Code`,
  city: t`City`,
  company_email: t`Company Email`,
  company_phone: t`Company Phone Number`,
} as const satisfies Partial<Record<CompanyField, string>>

export const EMPTY: CorporationValues = {
  ...EMPTY_COMPANY,
  allowed_resources: [],
  admin_data: { first_name: '', last_name: '', email: '', phone: '', password: '' },
  corp_active: true,
  agreed: false,
}

/** Converts a corporation to form values. `agreed` is true, because its terms were agreed to at registration. */
export function valuesOf({ corporation, organization }: FullDetails): CorporationValues {
  const { legalId: _, ...company } = organization
  const { corp_active, allowed_resources } = corporation
  return { ...EMPTY, ...company, corp_active, allowed_resources, agreed: true }
}

/**
 * Converts the corporation in the response to an edit conflict to form values; without one, returns those of an empty
 * form.
 */
export const inputOf = (corporation?: Corporation): CorporationValues => ({ ...EMPTY, ...corporation })
