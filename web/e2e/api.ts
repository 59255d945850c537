import type { Page } from '@playwright/test'

/** Creates a customer of type Company with this name, through the API. Returns the customer's id. */
export async function createCompany(page: Page, name: string): Promise<string> {
  const { customer_id } = await create<{ customer_id: string }>(page, '/api/customers', {
    name,
    email: 'maja@mail.example',
    telephone: '+46 70 100',
    address: 'Storgatan 1',
    type: 'Company',
    organizationNumber: '559360-9844',
    status: 'Active',
  })
  return customer_id
}

/** Creates a record through the API with the session of `page`, which must show the app, and returns the record. */
export const create = <R>(page: Page, path: string, body: object): Promise<R> => post(page, path, body, 201)

/** Creates a signed agreement that sells a vehicle to a customer, through the API. Returns its number. */
export async function createSignedAgreement(page: Page, customer_id: string, vehicle_id: string) {
  type Made = { agreement_id: string; number: string; version: number }
  const legs = [{ vehicle_id, price: '189900' }]
  let made = await create<Made>(page, '/api/agreements', { customer_id, legs })
  for (const state of ['Offered', 'Signed']) {
    const path = `/api/agreements/${made.agreement_id}/state`
    made = await post<Made>(page, path, { state, version: made.version }, 200)
  }
  return made.number
}

/** Sends a request that must be answered with `status`, and returns the data of the response. */
export function post<R>(page: Page, path: string, body: object, status: number): Promise<R> {
  return page.evaluate(
    async ([path, body, status]) => {
      const response = await fetch(path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${localStorage.getItem('accessToken')}`,
        },
        body: JSON.stringify(body),
      })
      if (response.status !== status) throw new Error(`${path} was answered with ${response.status}`)
      return (await response.json()).data
    },
    [path, body, status] as const,
  )
}
