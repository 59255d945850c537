import { beforeAll, expect, test } from 'vitest'
import { loadCore } from '~/core'
import { createResolver } from './form'

beforeAll(() => loadCore())

const options = { fields: {}, shouldUseNativeValidation: false } as const
const contact = { name: '', email: '', phone: '', website: '', address: '' }
const resolve = createResolver<typeof contact>((core, form) => core.checkContact(form))

test('a valid form has no errors and keeps its values', async () => {
  const form = { ...contact, name: 'Ada' }
  expect(await resolve(form, undefined, options)).toEqual({ values: form, errors: {} })
})

test('each validation error is assigned to its field', async () => {
  const { errors } = await resolve({ ...contact, email: 'ada@' }, undefined, options)
  expect(errors).toEqual({
    name: { type: 'rule', message: 'Name is required' },
    email: { type: 'rule', message: 'Please enter a valid email address' },
  })
})
