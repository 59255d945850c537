import { t } from '@lingui/core/macro'
import type { Control, UseFormReturn } from 'react-hook-form'
import type { Corporation, FullDetails, Organization } from '~/core'

/** A field of the company record. */
export type CompanyField = keyof Organization

/** Everything that the dialog of a corporation holds; an edit leaves its Admin out. */
export type CorporationValues = Record<CompanyField, string> & {
  allowed_resources: string[]
  admin_data: { first_name: string; last_name: string; email: string; phone: string; password: string }
  corp_active: boolean
  agreed: boolean
}

export type CorporationFormOf = UseFormReturn<CorporationValues>
export type CorporationControl = Control<CorporationValues>

export const ADDRESS = ['street_address', 'registered_city', 'postal_code', 'city'] as const
export const COMPANY = ['corp_name', ...ADDRESS, 'company_email', 'company_phone'] as const

/** What the fields of the company record are called. */
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

export const BLANK: CorporationValues = {
  organization_number: '',
  corp_name: '',
  street_address: '',
  registered_city: '',
  postal_code: '',
  city: '',
  company_email: '',
  company_phone: '',
  allowed_resources: [],
  admin_data: { first_name: '', last_name: '', email: '', phone: '', password: '' },
  corp_active: true,
  agreed: false,
}

/** A corporation as it is to be edited. Its terms were agreed to when it was registered. */
export function valuesOf({ corporation, organization }: FullDetails): CorporationValues {
  const { legalId: _, ...company } = organization
  const { corp_active, allowed_resources } = corporation
  return { ...BLANK, ...company, corp_active, allowed_resources, agreed: true }
}

/** The same of a corporation as a refused save brings it along. */
export const presentOf = (present: Corporation): Partial<CorporationValues> => ({
  organization_number: present.organization_number,
  corp_name: present.corp_name,
  street_address: present.street_address,
  registered_city: present.registered_city,
  postal_code: present.postal_code,
  city: present.city,
  company_email: present.company_email,
  company_phone: present.company_phone,
  allowed_resources: present.allowed_resources,
  corp_active: present.corp_active,
})
