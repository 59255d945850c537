import { paths } from '~/lib/paths'
import { useCanRead } from '~/lib/session'

/** Returns the path of a record's page; undefined if the user can't open it. */
export type PathOf = (resource: string, id: string) => string | undefined

/** Returns a function that returns the paths of the records that the user can open. */
export function useRecordPaths(): PathOf {
  const pages: Record<string, false | ((id: string) => string)> = {
    contacts: useCanRead('contacts', paths.contacts) && paths.contact,
    customers: useCanRead('customers', paths.customers) && paths.customer,
    invoices: useCanRead('invoices', paths.invoices) && paths.invoice,
    vehicles: useCanRead('vehicles', paths.vehicles) && paths.vehicle,
    agreements: useCanRead('agreements', paths.agreements) && paths.agreement,
  }
  return (resource, id) => {
    const page = pages[resource]
    return page ? page(id) : undefined
  }
}
