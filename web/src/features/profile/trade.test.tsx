import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { errorResponse, network } from '~/test/network'
import { textsOf } from '~/test/open'
import { openSettings } from '~/test/settings'

const SETTINGS = '/api/settings'
const field = (name: string) => page.getByLabelText(name, { exact: true })
const save = page.getByRole('button', { name: 'Save settings' })

function acceptSettings() {
  network.on(`PUT ${SETTINGS}`, ({ body }) => ({
    body: {
      success: true,
      message: 'Settings saved',
      messages: [{ code: 'settings.updated', text: 'Settings saved' }],
      data: body,
    },
  }))
}

test('choosing a country fills in its currency and its rate of VAT', async () => {
  acceptSettings()
  openSettings()
  await expect.element(field('VAT rate, %')).toHaveValue('20')
  await field('Country').click()
  await expect.poll(() => textsOf(page.getByRole('option')).length).toBe(8)
  await page.getByRole('option', { name: 'Finland' }).click()
  await expect.element(field('VAT rate, %')).toHaveValue('25.5')
  await expect.element(field('Currency')).toHaveTextContent('Euro (EUR)')
  await save.click()
  await expect.element(page.getByText('Settings saved')).toBeVisible()
  const before = { country: 'GB', currency: 'GBP', vat_rate: 20 }
  expect(network.requests(SETTINGS).at(-1)?.body).toEqual({
    country: 'FI',
    currency: 'EUR',
    vat_rate: 25.5,
    before,
  })
})

test('another currency warns before it is saved that prices are not converted', async () => {
  acceptSettings()
  openSettings()
  const warning = page.getByText(
    'Prices are not converted: what is entered as British Pound (GBP) will be shown as Euro (EUR), in all vehicles, costs and agreements, and in what customers have spent.',
  )
  await field('VAT rate, %').fill('17.5')
  expect(warning.elements()).toHaveLength(0)
  await field('Currency').click()
  await page.getByRole('option', { name: 'Euro' }).click()
  await expect.element(warning).toBeVisible()
  await save.click()
  await expect.element(page.getByText('Settings saved')).toBeVisible()
  await expect.element(warning).not.toBeInTheDocument()
})

test('settings that someone else has saved meanwhile are merged, and saved again on top of them', async () => {
  openSettings()
  const present = { country: 'GB', currency: 'EUR', vat_rate: 17.5 }
  network.on(`PUT ${SETTINGS}`, () => errorResponse(409, 'Changed.', { data: present }))
  await field('VAT rate, %').fill('15')
  await save.click()
  await expect.element(page.getByRole('radio', { name: /Theirs 17.5/ })).toBeVisible()
  await expect.element(field('VAT rate, %')).toHaveValue('15')
  await expect.element(field('Currency')).toHaveTextContent('Euro (EUR)')
  acceptSettings()
  await save.click()
  await expect.element(page.getByText('Settings saved')).toBeVisible()
  expect(network.requests(SETTINGS).at(-1)?.body).toMatchObject({ vat_rate: 15, before: present })
  // A later conflict is about what was saved, not about the earlier input.
  const theirs = page.getByRole('radio', { name: /Theirs/ })
  await expect.element(theirs).not.toBeInTheDocument()
  const later = { ...present, vat_rate: 18 }
  network.on(`PUT ${SETTINGS}`, () => errorResponse(409, 'Changed.', { data: later }))
  await field('Currency').click()
  await page.getByRole('option', { name: 'British Pound' }).click()
  await save.click()
  await expect.element(field('VAT rate, %')).toHaveValue('18')
  await expect.element(page.getByText('Their changes, already applied')).toBeVisible()
  await expect.element(theirs).not.toBeInTheDocument()
})

test('discarding the settings after a conflict shows what someone else has saved', async () => {
  openSettings()
  const present = { country: 'GB', currency: 'EUR', vat_rate: 17.5 }
  network.on(`PUT ${SETTINGS}`, () => errorResponse(409, 'Changed.', { data: present }))
  await field('VAT rate, %').fill('15')
  await save.click()
  const theirs = page.getByRole('radio', { name: /Theirs 17.5/ })
  await theirs.click()
  // Even without a change of one's own.
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.element(theirs).not.toBeInTheDocument()
  await expect.element(field('VAT rate, %')).toHaveValue('17.5')
  await expect.element(field('Currency')).toHaveTextContent('Euro (EUR)')
  expect(network.requests(SETTINGS)).toHaveLength(1)
})

test('leaving the page asks before it discards a typed VAT rate', async () => {
  const app = openSettings()
  await field('VAT rate, %').fill('17.5')
  void app.visit('/dashboard')
  await page.getByRole('button', { name: 'Keep editing' }).click()
  await expect.poll(app.address).toBe('/dashboard/profile')
  await expect.element(field('VAT rate, %')).toHaveValue('17.5')
  void app.visit('/dashboard')
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.poll(app.address).toBe('/dashboard')
})

test('an invalid VAT rate is reported at its field', async () => {
  acceptSettings()
  openSettings()
  await field('VAT rate, %').fill('101')
  await save.click()
  await expect
    .element(field('VAT rate, %'))
    .toHaveAccessibleDescription('Enter a rate from 0 to 100 % with at most two decimals.')
  expect(network.requests(SETTINGS)).toHaveLength(0)
})

/** Types a VAT rate that the server fails to save. Returns the error that is shown. */
async function saveInVain() {
  openSettings()
  network.on(`PUT ${SETTINGS}`, () => errorResponse(500, 'Something went wrong.'))
  await field('VAT rate, %').fill('17.5')
  await save.click()
  const failed = page.getByText(/^(Failed to save the settings|Something went wrong)\.$/)
  await expect.element(failed).toBeVisible()
  return failed
}

test('if country, currency and VAT could not be saved, the input stays in the form', async () => {
  const failed = await saveInVain()
  await expect.element(field('VAT rate, %')).toHaveValue('17.5')
  // An attempt that the form rejects says nothing about the earlier one.
  await field('VAT rate, %').fill('101')
  await save.click()
  await expect.element(failed).not.toBeInTheDocument()
})

test('the error of a failed save does not come back with the next input after the changes were discarded', async () => {
  const failed = await saveInVain()
  const discard = page.getByRole('button', { name: 'Discard changes' })
  await discard.click()
  await page.getByRole('button', { name: 'Discard', exact: true }).click()
  await expect.element(failed).not.toBeInTheDocument()
  await field('VAT rate, %').fill('15')
  await expect.element(discard).toBeVisible()
  expect(failed.elements()).toHaveLength(0)
})

test('an administrator finds the account below the profile, beside the settings of the corporation', async () => {
  openSettings()
  const title = (name: string) => page.getByRole('heading', { name })
  await expect.element(title('Country, currency and VAT')).toBeVisible()
  const left = (name: string) => title(name).element().getBoundingClientRect().left
  for (const name of ['Language', 'Password and account']) expect(left(name)).toBe(left('Edit Profile'))
  expect(left('Website Logo')).toBe(left('Country, currency and VAT'))
  expect(left('Website Logo')).toBeGreaterThan(left('Language'))
})

test('a user who is no administrator does not see the settings of country, currency and VAT', async () => {
  openSettings({ type: 'User' })
  await expect.element(page.getByRole('heading', { name: 'Language' })).toBeVisible()
  await expect
    .element(page.getByRole('heading', { name: 'Country, currency and VAT' }))
    .not.toBeInTheDocument()
})
