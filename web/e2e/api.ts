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
export async function create<R>(page: Page, path: string, body: object): Promise<R> {
  return page.evaluate(
    async ([path, body]) => {
      const response = await fetch(path, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${localStorage.getItem('accessToken')}`,
        },
        body: JSON.stringify(body),
      })
      if (response.status !== 201) throw new Error(`${path} was answered with ${response.status}`)
      return (await response.json()).data
    },
    [path, body] as const,
  )
}
