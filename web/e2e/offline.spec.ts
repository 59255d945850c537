import { readFileSync } from 'node:fs'
import type { Locator, Page } from '@playwright/test'
import { accounts, sessionOf, signIn } from './accounts'
import { type NetworkProxy, startNetworkProxy } from './networkProxy'
import { test as base, checkAccessibility, expect, expectNoOverflow } from './test'

const test = base.extend<{ net: NetworkProxy }>({
  // Each test has a proxy at an origin of its own, so that the tests don't share a service worker.
  net: async ({ baseURL }, use) => {
    const net = await startNetworkProxy(baseURL ?? '')
    await use(net)
    await net.close()
  },
})
// Expected errors: 0 while the network is cut, and the others from a server that doesn't know the session.
test.use({ serviceWorkers: 'allow', expectedStatuses: [0, 400, 401, 404] })

/** Opens the dashboard with the administrator's session. */
async function enter(page: Page, net: NetworkProxy) {
  const stored = JSON.parse(readFileSync(sessionOf('admin'), 'utf8'))
  await page.goto(`${net.url}/theme.js`)
  await page.evaluate(entries => {
    for (const { name, value } of entries) localStorage.setItem(name, value)
  }, stored.origins[0].localStorage)
  await page.goto(`${net.url}/dashboard`)
}

/** Opens the dashboard with the administrator's session, and waits until the app is available offline. */
async function visit(page: Page, net: NetworkProxy) {
  await enter(page, net)
  await waitForServiceWorker(page)
  // Accepts the browser's question whether to discard unsaved input.
  page.on('dialog', question => void question.accept())
}

/** Opens the page of the first contact, which has a form for comments. */
async function openFirstContact(page: Page, net: NetworkProxy) {
  await visit(page, net)
  await page.goto(`${net.url}/dashboard/contacts`)
  await page
    .getByRole('link', { name: /^View details of/ })
    .first()
    .click()
}

async function waitForServiceWorker(page: Page) {
  await expect(page.getByRole('button', { name: /^Profile menu/ })).toBeVisible()
  await expect
    .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null), { timeout: 60_000 })
    .toBe(true)
}

const offlineNotice = (page: Page) => page.getByText("You're offline. You can still")
const expectOnline = (page: Page) => expect(offlineNotice(page)).toBeHidden({ timeout: 30_000 })

function csv(rows: number, mark: string) {
  const lines = ['Name;E-post;Telefon;Stad']
  for (let row = 1; row <= rows; row++) {
    lines.push(
      `${mark} Person ${row};${row === 100 ? 'broken' : `${mark}-${row}@cut.example`};+46 70 ${row};Malmö`,
    )
  }
  return { name: `${mark}.csv`, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) }
}

test('after one visit a file is checked offline and submitted online', async ({ page, net }) => {
  test.setTimeout(150_000)
  const mark = `cut${Date.now()}`
  await visit(page, net)
  await net.cut()
  await page.goto(`${net.url}/dashboard/contacts/imports/new`)
  await page.reload()
  await expect(offlineNotice(page)).toBeVisible()
  await page.getByLabel('Contacts file').setInputFiles(csv(300, mark))
  await expect(page.getByRole('cell', { name: `${mark} Person 1`, exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByRole('combobox', { name: 'Field for “E-post”' })).toHaveText('Email')
  await page.getByRole('button', { name: 'Correct “broken” in row 101, E-post' }).click()
  await page.keyboard.type(`${mark}-fixed@cut.example`)
  await page.keyboard.press('Enter')
  const send = page.getByRole('button', { name: 'Import Contacts' })
  await expect(page.getByText('300 will be imported', { exact: true })).toBeVisible()
  await send.click()
  await expect(page.getByRole('alert').filter({ hasText: 'No connection to the server' })).toBeVisible()
  await expect(page.getByRole('button', { name: '1 correction' })).toBeVisible()
  await checkAccessibility(page)

  await net.restore()
  await expectOnline(page)
  await send.click()
  await expect(page.getByText('Import completed successfully!')).toBeVisible({ timeout: 60_000 })
  await page.getByRole('link', { name: 'View contacts' }).click()
  await page.getByRole('searchbox').fill(`${mark}-fixed`)
  await page.keyboard.press('Enter')
  await expect(page.getByText('Showing 1 to 1 of 1 contact')).toBeVisible()
})

test('a file chosen while the service worker installs is kept', async ({ page, net }) => {
  await enter(page, net)
  const isBegun = async () => Boolean(await navigator.serviceWorker.getRegistration())
  await expect.poll(() => page.evaluate(isBegun), { timeout: 30_000, intervals: [10] }).toBe(true)
  await page.goto(`${net.url}/dashboard/contacts/imports/new`)
  await page.getByLabel('Contacts file').setInputFiles(csv(3, 'early'))
  await expect(page.getByRole('cell', { name: 'early Person 1', exact: true })).toBeVisible()
  await waitForServiceWorker(page)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText('3 will be imported', { exact: true })).toBeVisible()
})

test('csv, xlsx and xls files can be read offline on the first use', async ({ page, net }) => {
  test.setTimeout(120_000)
  await visit(page, net)
  await net.cut()
  await page.goto(`${net.url}/dashboard/contacts/imports/new`)
  for (const name of ['csv-utf-16-le-mark.csv', 'exceljs-oddities.xlsx', 'libreoffice-1904.xls']) {
    await page.getByLabel('Contacts file').setInputFiles(`../core/tests/files/${name}`)
    await expect(page.getByRole('button', { name: 'Next' })).not.toHaveAttribute('aria-disabled', 'true')
  }
})

test('a list shows that it is offline and loads when the network is back', async ({ page, net }) => {
  test.setTimeout(120_000)
  await visit(page, net)
  await net.cut()
  await page.goto(`${net.url}/dashboard/contacts`)
  await expect(offlineNotice(page)).toBeVisible()
  await expect(page.getByRole('alert').filter({ hasText: 'No connection to the server' })).toBeVisible()
  await page.getByRole('button', { name: 'Try Again' }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'No connection to the server' })).toBeVisible()
  for (const width of [360, 768, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await expectNoOverflow(page)
  }
  await checkAccessibility(page)
  await net.restore()
  await expect(page.getByText("You're back online.")).toBeVisible({ timeout: 30_000 })
  await expect(page.getByText(/^Showing 1 to \d+ of/)).toBeVisible()
})

test('Back offline shows the dashboard of before until the network is back', async ({ page, net }) => {
  test.setTimeout(120_000)
  await visit(page, net)
  const totals = page.getByRole('list', { name: 'Totals' })
  await totals.getByRole('link', { name: /^Total contacts/ }).click()
  await expect(page.getByText(/^Showing 1 to \d+ of/)).toBeVisible()
  await net.cut()
  await page.goBack()
  await expect(offlineNotice(page)).toBeVisible()
  const dimmed = page.locator('main [aria-busy="true"]').filter({ has: totals })
  await expect(dimmed).toBeVisible()
  await net.restore()
  await expectOnline(page)
  await expect(dimmed).toBeHidden()
  await expect(totals).toBeVisible()
})

/** Fills in the form of a customer: name, type, and the other fields by their labels. */
async function fillCustomer(form: Locator, name: string, type: string, fields: Record<string, string>) {
  await form.getByLabel('Name', { exact: true }).fill(name)
  for (const [label, value] of Object.entries(fields)) await form.getByLabel(label).fill(value)
  await form.getByRole('combobox', { name: 'Customer Type' }).click()
  await form.page().getByRole('option', { name: type }).click()
}

const stamp = Date.now()
const forms: {
  what: string
  list: string
  open: string
  fill: (form: Locator) => Promise<void>
  submit: string
  holds: [label: string, value: string][]
  /** Fills in again the fields that a draft never stores, such as passwords. */
  again?: (form: Locator) => Promise<void>
  saved: string
}[] = [
  {
    what: 'contact',
    list: 'contacts',
    open: '+ Add New Contact',
    fill: async form => {
      await form.getByLabel('Name').fill(`Cut Off ${stamp}`)
      await form.getByLabel('Address').fill('Hamngatan 7')
    },
    submit: 'Create contact',
    holds: [
      ['Name', `Cut Off ${stamp}`],
      ['Address', 'Hamngatan 7'],
    ],
    saved: 'Contact created successfully',
  },
  {
    what: 'customer',
    list: 'customers',
    open: 'New Customer',
    fill: async form => {
      await fillCustomer(form, `Maja ${stamp}`, 'Private', {
        Email: 'maja@mail.example',
        Telephone: '+46 70 123 45 67',
        Address: 'Storgatan 1',
      })
      await form.getByLabel('Social Security Number').fill('19121212-1212')
    },
    submit: 'Create customer',
    holds: [
      ['Telephone', '+46 70 123 45 67'],
      ['Social Security Number', ''],
    ],
    again: form => form.getByLabel('Social Security Number').fill('19121212-1212'),
    saved: 'Customer created successfully',
  },
  {
    what: 'company',
    list: 'customers',
    open: 'New Customer',
    fill: async form => {
      await fillCustomer(form, `Bil ${stamp} AB`, 'Company', {
        Email: 'info@bil.example',
        Telephone: '+46 40 12 34 56',
        Address: 'Storgatan 2',
      })
      await form.getByLabel('Organization Number').fill('559360-9844')
    },
    submit: 'Create customer',
    holds: [
      ['Telephone', '+46 40 12 34 56'],
      ['Organization Number', '559360-9844'],
    ],
    saved: 'Customer created successfully',
  },
  {
    what: 'invoice',
    list: 'invoices',
    open: 'Create New Invoice',
    fill: async form => {
      await form.getByLabel('Customer').fill(`Cut ${stamp}`)
      await form.getByLabel('Website').fill('nordbil.example')
      await form.getByLabel('Email').fill('ada@nordbil.example')
      await form.getByLabel('Start Date').fill('2026-01-31')
      await form.getByLabel('End Date').fill('2026-02-01')
      await form.getByLabel('Project Price').fill('19.90')
    },
    submit: 'Create invoice',
    holds: [
      ['Start Date', '2026-01-31'],
      ['Project Price', '19.90'],
    ],
    saved: 'Invoice created successfully',
  },
  {
    what: 'role',
    list: 'roles',
    open: 'Create Role',
    fill: async form => {
      await form.getByLabel('Name').fill(`Cut ${stamp}`)
      await form.getByLabel('Description').fill('Works where the network ends')
    },
    submit: 'Create role',
    holds: [['Description', 'Works where the network ends']],
    saved: 'Role created successfully',
  },
]

for (const { what, list, open, fill, submit, holds, again, saved } of forms) {
  test(`input of a new ${what} survives offline and reload, and is saved later`, async ({ page, net }) => {
    test.setTimeout(120_000)
    await visit(page, net)
    await page.goto(`${net.url}/dashboard/${list}`)
    await page.getByRole('button', { name: open }).click()
    const form = page.getByRole('dialog')
    await fill(form)
    await net.cut()
    await form.getByRole('button', { name: submit }).click()
    await expect(form.getByRole('alert').filter({ hasText: 'No connection to the server' })).toBeVisible()
    await page.reload()
    await page.getByRole('button', { name: open }).click()
    for (const [label, value] of holds) await expect(form.getByLabel(label)).toHaveValue(value)
    const stored = await page.evaluate(() => JSON.stringify(sessionStorage))
    expect(stored).not.toContain('19121212')

    await net.restore()
    await again?.(form)
    await form.getByRole('button', { name: submit }).click()
    await expect(page.getByText(saved)).toBeVisible()
    await expect(form).toBeHidden()
    await page.getByRole('button', { name: open }).click()
    await expect(form.getByLabel(holds[0]?.[0] ?? '')).toHaveValue('')
  })
}

test('drafts survive a reload until they are saved or discarded', async ({ page, net }) => {
  test.setTimeout(120_000)
  await openFirstContact(page, net)
  const box = page.getByLabel('New comment')
  await box.fill('Rings back on Monday')
  await page.reload()
  await expect(box).toHaveValue('Rings back on Monday')
  await page.getByRole('button', { name: 'Add comment' }).click()
  await expect(page.getByText('Rings back on Monday').first()).toBeVisible()
  await expect(box).toHaveValue('')
  await page.reload()
  await expect(box).toHaveValue('')

  const edit = page.getByRole('button', { name: 'Edit', exact: true }).first()
  const phone = page.getByRole('dialog').getByLabel('Phone')
  await edit.click()
  await phone.fill('+46 8 000')
  await page.reload()
  await edit.click()
  await expect(phone).toHaveValue('+46 8 000')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await edit.click()
  await expect(phone).not.toHaveValue('+46 8 000')
})

test('drafts survive the end of the session but not a sign-out', async ({ page, net }) => {
  test.setTimeout(120_000)
  page.on('dialog', question => void question.accept())
  await page.goto(`${net.url}/login`)
  await signIn(page, accounts.kestrel)
  await page.goto(`${net.url}/dashboard/contacts`)
  const add = page.getByRole('button', { name: '+ Add New Contact' })
  const name = page.getByRole('dialog').getByLabel('Name')
  await add.click()
  await name.fill('Typed at the end')
  await page.evaluate(() => {
    localStorage.setItem('accessToken', 'gone')
    localStorage.setItem('refreshToken', 'gone')
  })
  await page.getByRole('button', { name: 'Create contact' }).click()
  await expect(page).toHaveURL(/\/login\?next=/)
  expect(await page.evaluate(() => localStorage.getItem('session'))).toBeNull()
  await signIn(page, accounts.kestrel)
  await expect(page).toHaveURL(/\/dashboard\/contacts$/)
  await add.click()
  await expect(name).toHaveValue('Typed at the end')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Keep editing' }).click()

  // Signing out in another tab deletes the drafts in both tabs.
  const other = await page.context().newPage()
  await other.goto(`${net.url}/dashboard`)
  await other.getByRole('button', { name: /^Profile menu/ }).click()
  await other.getByRole('menuitem', { name: 'Sign out' }).click()
  const question = other.getByRole('alertdialog', { name: 'Sign out anyway?' })
  await expect(question).toHaveAccessibleDescription('Unsaved work in other tabs will be deleted.')
  await question.getByRole('button', { name: 'Sign out' }).click()
  await expect(other).toHaveURL(/\/login/)
  await expect(page).toHaveURL(/\/login/)
  const stored = async (tab: Page) =>
    tab.evaluate(() => [
      localStorage.getItem('session'),
      ...Object.keys(sessionStorage).filter(key => key.startsWith('draft ')),
    ])
  await expect.poll(() => stored(page)).toEqual([null])
  await expect.poll(() => stored(other)).toEqual([null])
})

test('a new version is offered and waits for unsaved input', async ({ page, net }) => {
  test.setTimeout(120_000)
  await openFirstContact(page, net)
  const box = page.getByLabel('New comment')
  const words = `Typed before the update ${Date.now()}`
  await box.fill(words)
  await page.evaluate(() => Object.assign(window, { isOld: true }))
  // True until the page has been reloaded. `evaluate` fails while it navigates.
  const isOld = () => page.evaluate(() => 'isOld' in window).catch(() => true)
  net.release()
  await page.evaluate(async () => (await navigator.serviceWorker.ready).update())
  await expect(page.getByText('A new version is available.')).toBeVisible({ timeout: 60_000 })
  await checkAccessibility(page)
  await page.getByRole('button', { name: 'Update' }).click()
  await expect(page.getByText('The app will update when')).toBeVisible({ timeout: 30_000 })
  expect(await isOld()).toBe(true)
  await expect(box).toHaveValue(words)
  await page.getByRole('button', { name: 'Add comment' }).click()
  await expect.poll(isOld, { timeout: 30_000 }).toBe(false)
  await expect(page.getByRole('region', { name: 'Comments' }).getByText(words)).toBeVisible()
  await expect(page.getByText('A new version is available.')).toHaveCount(0)
})
