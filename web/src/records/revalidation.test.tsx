import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { agreement, idOf, openAgreements } from '~/test/agreements'
import { errorResponse, network } from '~/test/network'

const field = (name: string) => page.getByLabelText(name, { exact: true })

test('a delivery before the day of the agreement is corrected in either field', async () => {
  openAgreements([])
  await page.getByRole('button', { name: 'New agreement' }).first().click()
  await field('Agreed on').fill('2026-01-20')
  await field('Delivered on').fill('2026-01-15')
  await page.getByRole('button', { name: 'Create agreement' }).click()
  const error = /^The delivery can't be before the day of the agreement/
  await expect.element(field('Delivered on')).toHaveAccessibleDescription(error)
  await field('Agreed on').fill('2026-01-10')
  await expect.element(field('Delivered on')).not.toHaveAccessibleDescription(error)
})

test('an error of the server stays while other fields change', async () => {
  openAgreements([agreement(1)])
  await page.getByRole('button', { name: 'Edit SA-1001' }).click()
  const sentence = 'The deposit is more than the price.'
  network.on(`PUT /api/agreements/${idOf(1)}`, () =>
    errorResponse(400, sentence, { fields: { deposit: [sentence] } }),
  )
  await field('Deposit').fill('100')
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect.element(field('Deposit')).toHaveAccessibleDescription(/more than the price/)
  await field('Notes').fill('Two keys')
  await expect.element(field('Notes')).toHaveValue('Two keys')
  await expect.element(field('Deposit')).toHaveAccessibleDescription(/more than the price/)
  await field('Deposit').fill('90')
  await expect.element(field('Deposit')).not.toHaveAccessibleDescription(/more than the price/)
})
