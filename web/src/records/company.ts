/** The values of a new company in an empty form. */
export const EMPTY_COMPANY = {
  organization_number: '',
  corp_name: '',
  street_address: '',
  registered_city: '',
  postal_code: '',
  city: '',
  company_email: '',
  company_phone: '',
  country: '',
}
