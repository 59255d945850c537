import { afterEach, beforeEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { site } from '~/lib/site'
import { delayResponse, errorResponse, network } from '~/test/network'
import { closeAll, expectAlert, open } from '~/test/open'
import { failNetwork } from '~/test/signIn'

const sent =
  'Thank you. We sent you an email. Open the link in it within 24 hours to confirm your email address.'
const received = () => ({ status: 201, body: { success: true, message: sent } })
const sentBodies = () => network.requests('/api/auth/signup').map(call => call.body)
const heading = (name: string) => page.getByRole('heading', { name, level: 1 })
const box = (name: string) => page.getByLabelText(name, { exact: true })
const register = page.getByRole('button', { name: 'Register company' })

/** The values of the form by the labels of its fields. */
const typed = {
  'Organization Number': '559360-9844',
  'Company Name': 'Ny Bil AB',
  'Street Address': 'Storgatan 1',
  'Registered City': 'Umeå',
  'Postal Code': '903 26',
  City: 'Ersmark',
  'Company Email': 'info@nybil.example',
  'Company Phone Number': '090 12 34 56',
  'First Name': 'Ada',
  'Last Name': 'Lind',
  Email: 'ada@nybil.example',
  'Phone Number': '070 123 45 67',
  Password: 'three birds on a wire',
}

async function openFilled() {
  const app = open('/signup')
  for (const [name, text] of Object.entries(typed)) await box(name).fill(text)
  return app
}

beforeEach(() => {
  site.signup = true
})
afterEach(() => {
  site.signup = undefined
  Reflect.deleteProperty(navigator, 'languages')
})

test('a registration is sent, and the page says what happens next', async () => {
  network.on('POST /api/auth/signup', received)
  const app = await openFilled()
  await box('Password').click()
  await userEvent.keyboard('{Enter}')
  await expect.element(heading('Check your email')).toHaveFocus()
  await expect.element(page.getByText(sent)).toBeVisible()
  await expect.element(page.getByText('No email to ada@nybil.example yet?', { exact: false })).toBeVisible()
  expect(sentBodies()).toEqual([
    {
      organization_number: '559360-9844',
      corp_name: 'Ny Bil AB',
      street_address: 'Storgatan 1',
      registered_city: 'Umeå',
      postal_code: '903 26',
      city: 'Ersmark',
      company_email: 'info@nybil.example',
      company_phone: '090 12 34 56',
      country: 'GB',
      first_name: 'Ada',
      last_name: 'Lind',
      email: 'ada@nybil.example',
      mobile: '070 123 45 67',
      password: 'three birds on a wire',
    },
  ])
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect.poll(app.address).toBe('/login')
})

test('the country is at first that of the browser, and can be changed', async () => {
  Object.defineProperty(navigator, 'languages', { value: ['en-US@posix', 'en-US', 'sv'], configurable: true })
  network.on('POST /api/auth/signup', received)
  await openFilled()
  await expect.element(box('Country')).toHaveTextContent('Sweden')
  await box('Country').click()
  await page.getByRole('option', { name: 'Germany' }).click()
  await register.click()
  await expect.element(heading('Check your email')).toBeVisible()
  expect(sentBodies()).toEqual([expect.objectContaining({ country: 'DE' })])
})

test('a language that names its country decides on the country that is suggested', async () => {
  Object.defineProperty(navigator, 'languages', { value: ['sv', 'sv-FI'], configurable: true })
  open('/signup')
  await expect.element(box('Country')).toHaveTextContent('Finland')
})

test('an incomplete registration shows its errors and sends no request', async () => {
  open('/signup')
  await register.click()
  for (const error of ['Organization Number is required', 'Phone Number is required', 'Password is required'])
    await expect.element(page.getByText(error, { exact: true })).toBeVisible()
  await expect.element(box('Organization Number')).toHaveFocus()
  expect(sentBodies()).toHaveLength(0)
})

test('a wrong check digit is a hint that prevents nothing', async () => {
  network.on('POST /api/auth/signup', received)
  await openFilled()
  await box('Organization Number').fill('559360-9845')
  await expect
    .element(page.getByText('The check digit of this number looks wrong.', { exact: false }))
    .toBeVisible()
  await register.click()
  await expect.element(heading('Check your email')).toBeVisible()
})

test('an error is shown in place and keeps the input', async () => {
  network.on('POST /api/auth/signup', failNetwork)
  await openFilled()
  await register.click()
  await expectAlert('No connection to the server')
  network.on('POST /api/auth/signup', () => errorResponse(500, ''))
  await register.click()
  await expectAlert('Failed to register. Please try again.')
  for (const [name, text] of Object.entries(typed)) await expect.element(box(name)).toHaveValue(text)
})

/** Waits until the form has all values except the password, which is stored nowhere. */
async function expectRestored() {
  for (const [name, text] of Object.entries({ ...typed, Password: '' }))
    await expect.element(box(name)).toHaveValue(text)
  expect(JSON.stringify({ ...sessionStorage, ...localStorage })).not.toContain(typed.Password)
}

test('the input except the password survives a reload and another page', async () => {
  const app = await openFilled()
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect.poll(app.address).toBe('/login')
  await page.getByRole('link', { name: 'Register your company' }).click()
  await expectRestored()
  // Simulate a reload.
  closeAll()
  open('/signup')
  await expectRestored()
  await page.getByRole('button', { name: 'Discard draft' }).click()
  for (const name of Object.keys(typed)) await expect.element(box(name)).toHaveValue('')
})

test('discarding a restored draft keeps a password that was typed since', async () => {
  await openFilled()
  closeAll()
  open('/signup')
  await expectRestored()
  await box('Password').fill(typed.Password)
  await page.getByRole('button', { name: 'Discard draft' }).click()
  await expect.element(box('Company Name')).toHaveValue('')
  await expect.element(box('Password')).toHaveValue(typed.Password)
})

test('a reload after sending says again that an email was sent', async () => {
  network.on('POST /api/auth/signup', received)
  await openFilled()
  await register.click()
  await expect.element(heading('Check your email')).toBeVisible()
  closeAll()
  open('/signup')
  await expect.element(heading('Check your email')).toBeVisible()
  await expect.element(page.getByText(sent)).toBeVisible()
  await expect.element(page.getByText('No email to ada@nybil.example yet?', { exact: false })).toBeVisible()
})

test('the page after sending stays until the link is confirmed or refused', async () => {
  network.on('POST /api/auth/signup', received)
  const app = await openFilled()
  await register.click()
  await expect.element(heading('Check your email')).toBeVisible()
  network.on('POST /api/auth/verify-email', failNetwork)
  await app.visit('/verify-email?token=t1')
  await expectAlert('No connection to the server')
  await app.visit('/signup')
  await expect.element(heading('Check your email')).toBeVisible()
  network.on('POST /api/auth/verify-email', () => errorResponse(400, 'This link has expired.'))
  await app.visit('/verify-email?token=t1')
  await expectAlert('This link has expired.')
  await app.visit('/signup')
  await expect.element(register).toBeVisible()
})

test('a sent form can be corrected until its link is confirmed', async () => {
  network.on('POST /api/auth/signup', received)
  const app = await openFilled()
  await register.click()
  await expect.element(heading('Check your email')).toBeVisible()
  await page.getByRole('button', { name: 'Change the address or send again' }).click()
  await expect.element(heading('Register your company')).toHaveFocus()
  await expectRestored()
  await box('Password').fill(typed.Password)
  await register.click()
  await expect.element(heading('Check your email')).toBeVisible()
  network.on('POST /api/auth/verify-email', () => ({ body: { success: true, message: 'Confirmed' } }))
  await app.visit('/verify-email?token=t1')
  await expect.element(heading('Email address confirmed')).toBeVisible()
  await app.visit('/signup')
  await expect.element(heading('Register your company')).toBeVisible()
  for (const name of Object.keys(typed)) await expect.element(box(name)).toHaveValue('')
})

test('a field error of the server is shown at its field', async () => {
  const sentence = 'Minimum length is 30 characters'
  network.on('POST /api/auth/signup', () =>
    errorResponse(400, sentence, { fields: { password: [sentence] } }),
  )
  await openFilled()
  await register.click()
  await expect.element(page.getByText(sentence)).toBeVisible()
  await expect.element(box('Password')).toHaveFocus()
})

test('a second click while the request is pending does nothing', async () => {
  const release = delayResponse('POST /api/auth/signup', received)
  await openFilled()
  await register.click()
  await expect.element(register).toHaveAttribute('aria-busy', 'true')
  await register.click()
  release()
  await expect.element(heading('Check your email')).toBeVisible()
  expect(sentBodies()).toHaveLength(1)
})

test('the login page links to the registration only if it is open', async () => {
  const app = open('/login')
  await page.getByRole('link', { name: 'Register your company' }).click()
  await expect.poll(app.address).toBe('/signup')
  await expect.element(heading('Register your company')).toHaveFocus()
  site.signup = false
  await app.visit('/login')
  await expect.element(heading('Welcome back')).toBeVisible()
  expect(page.getByRole('link', { name: 'Register your company' }).elements()).toHaveLength(0)
})

test('a closed registration says who creates accounts', async () => {
  site.signup = false
  const app = open('/signup')
  await expect.element(heading('Registration is closed')).toBeVisible()
  await expect.element(page.getByText('Accounts are created by an administrator.')).toBeVisible()
  expect(page.getByRole('textbox').elements()).toHaveLength(0)
  await page.getByRole('link', { name: 'Back to sign in' }).click()
  await expect.poll(app.address).toBe('/login')
})
