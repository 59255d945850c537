import type { Page } from '@playwright/test'
import { accounts, PASSWORD, sessionOf, signIn } from './accounts'
import { checkAccessibility, checkLayout, confirmWithKeyboard, expect, rowAction, test } from './test'

/** Returns a company whose name, number and email are unique to this run. */
function company(letter: string) {
  const unique = Date.now().toString().slice(-9)
  return {
    number: `HRB ${unique}`,
    name: `Autohaus ${letter}${unique}`,
    admin: `admin-${letter}${unique}@example.org`.toLowerCase(),
  }
}
type Company = ReturnType<typeof company>

const dialog = (page: Page) => page.getByRole('dialog')
const field = (page: Page, name: string) => dialog(page).getByLabel(name, { exact: true })

async function openRegistration(page: Page) {
  await page.goto('/dashboard/corporations')
  await page.getByRole('button', { name: 'Add corporation' }).click()
  await expect(dialog(page).getByRole('checkbox', { name: 'Contacts' })).toBeVisible()
}

/** Fills in the registration form for a company that a lookup doesn't find, and chooses its allowed resources. */
async function fillIn(page: Page, { number, name, admin }: Company, resources: string[]) {
  await openRegistration(page)
  await field(page, 'Organization Number').fill(number)
  await dialog(page).getByRole('button', { name: 'Look up' }).click()
  await expect(dialog(page).getByText('Organization not found')).toBeVisible()
  for (const [label, text] of [
    ['Company Name', name],
    ['Street Address', 'Osterdeich 88'],
    ['Registered City', 'Bremen'],
    ['Postal Code', '28205'],
    ['City', 'Bremen'],
    ['Company Email', `office-${admin}`],
    ['Company Phone Number', '+49 421 555 0140'],
    ['First Name', 'Jonas'],
    ['Last Name', 'Becker'],
    ['Email', admin],
    ['Password', PASSWORD],
    ['Phone Number', '+49 421 555 0141'],
  ] as const) {
    await field(page, label).fill(text)
  }
  // All modules are preselected.
  const cards = dialog(page).getByRole('region', { name: 'Resources' }).getByRole('checkbox')
  for (const card of await cards.all()) await card.uncheck()
  for (const resource of resources) await dialog(page).getByRole('checkbox', { name: resource }).check()
  await dialog(page)
    .getByRole('checkbox', { name: /^I agree/ })
    .check()
}

const submit = (page: Page) => dialog(page).getByRole('button', { name: 'Register corporation' }).click()

async function find(page: Page, { name }: Company) {
  await page.goto(`/dashboard/corporations?search=${encodeURIComponent(name)}`)
  await expect(page.getByRole('row', { name: new RegExp(name) })).toBeVisible()
}

async function edit(page: Page, { name }: Pick<Company, 'name'>) {
  await (await rowAction(page, name, `Edit ${name}`)).click()
  await expect(dialog(page).getByRole('checkbox', { name: 'Contacts' })).toBeVisible()
  await expect(field(page, 'Company Name')).toHaveValue(name)
}

async function saveEdit(page: Page) {
  await dialog(page).getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Corporation updated successfully').last()).toBeVisible()
  await expect(dialog(page)).toBeHidden()
}

test.use({ storageState: sessionOf('platform') })

test.describe('a corporation', () => {
  // The lookup of a number that isn't registered responds with 404.
  test.use({ expectedStatuses: [404] })

  test('a corporation is registered, used, edited, deactivated and deleted', async ({
    page,
    browser,
    baseURL,
  }) => {
    test.setTimeout(240_000)
    const made = company('A')
    await fillIn(page, made, ['Contacts'])
    await submit(page)
    await expect(page.getByText('Corporation created successfully')).toBeVisible()

    const context = await browser.newContext({ baseURL, storageState: { cookies: [], origins: [] } })
    const admin = await context.newPage()
    await admin.goto('/login')
    await signIn(admin, made.admin)
    const menu = admin.getByRole('navigation', { name: 'Main' })
    await expect(menu.getByText('Contacts')).toBeVisible()
    await expect(menu.getByText('Customers')).toHaveCount(0)

    await find(page, made)
    await edit(page, made)
    await expect(field(page, 'Organization Number')).toHaveAttribute('readonly')
    await dialog(page).getByRole('checkbox', { name: 'Customers' }).check()
    await saveEdit(page)
    await expect(page.getByRole('row', { name: /Customers, Contacts/ })).toBeVisible()
    await admin.reload()
    await expect(menu.getByText('Customers')).toBeVisible()

    await edit(page, made)
    await dialog(page).getByRole('switch', { name: 'Active' }).click()
    await dialog(page).getByRole('button', { name: 'Save changes' }).click()
    await page.getByRole('button', { name: 'Suspend corporation' }).click()
    await expect(dialog(page)).toBeHidden()
    await expect(page.getByRole('row', { name: /Inactive/ })).toBeVisible()
    await admin.goto('/dashboard/contacts')
    await expect(admin).toHaveURL(/\/login/)
    await context.close()

    await page.getByRole('button', { name: `Delete ${made.name}` }).click()
    await expect(
      dialog(page).getByText(/^This removes the corporation and organization records/),
    ).toBeVisible()
    await checkAccessibility(page)
    await dialog(page).getByRole('textbox').fill(made.name)
    await dialog(page).getByRole('button', { name: 'Delete corporation' }).click()
    await expect(page.getByText('Corporation deleted successfully')).toBeVisible()
    await expect(
      page.getByText(`No name, number, city, contact or email matches “${made.name}”.`),
    ).toBeVisible()
  })
})

test('a lookup fills in a company and warns if it is registered', async ({ page }) => {
  await openRegistration(page)
  await field(page, 'Organization Number').fill('5561000059')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Organization found')).toBeVisible()
  await expect(field(page, 'Company Name')).toHaveValue('Nordbil AB')
  await expect(field(page, 'Company Name')).toHaveAttribute('readonly')
  await expect(
    dialog(page).getByText('A corporation with this organization number already exists'),
  ).toBeVisible()
})

test.describe('a taken email', () => {
  test.use({ expectedStatuses: [404, 409] })

  test('a taken email is shown at its field, and the form keeps the input', async ({ page }) => {
    await openRegistration(page)
    await submit(page)
    await expect(page.getByText('Please fill in all required fields correctly')).toBeVisible()
    await expect(field(page, 'Organization Number')).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
    const made = company('T')
    await fillIn(page, { ...made, admin: accounts.kestrel }, [])
    await submit(page)
    await expect(dialog(page).getByText('Another account already uses this email')).toBeVisible()
    await expect(field(page, 'Email')).toBeFocused()
    await expect(field(page, 'Company Name')).toHaveValue(made.name)
  })
})

test('adds, edits, deactivates and activates a user by keyboard only', async ({ page }) => {
  const { keyboard } = page
  const email = `kim-${Date.now()}@weser.example`
  await page.goto('/dashboard/corporations?search=weser')
  await page.getByRole('link', { name: 'Autohaus Weser GmbH', exact: true }).press('Enter')
  await expect(page.getByText('Users for Autohaus Weser GmbH')).toBeVisible()
  await page.getByRole('button', { name: 'Add User' }).press('Enter')
  await expect(field(page, 'First Name')).toBeVisible()
  await field(page, 'First Name').focus()
  for (const text of ['Kim', 'Vogt', email, '+49 421 1']) {
    await keyboard.type(text)
    await keyboard.press('Tab')
  }
  // The type stays User, so Tab skips it. The role is selected by typing its first letter.
  await keyboard.press('Tab')
  await expect(dialog(page).getByRole('combobox', { name: 'Role' })).toBeFocused()
  await keyboard.press('Enter')
  // Waits until the focus is in the list of options. Before that, a letter would choose a role without the list.
  await expect(
    page.locator('[role=listbox]:focus-within').getByRole('option', { name: 'Sales' }),
  ).toBeVisible()
  await keyboard.type('S')
  await keyboard.press('Enter')
  await expect(dialog(page).getByRole('combobox', { name: 'Role' })).toHaveText(/Sales/)
  // Waits until the list of options has closed and the focus is back on the select.
  await expect(dialog(page).getByRole('combobox', { name: 'Role' })).toBeFocused()
  await keyboard.press('Tab')
  await expect(field(page, 'Password')).toBeFocused()
  await keyboard.type(PASSWORD)
  await keyboard.press('Enter')
  await expect(page.getByText('User created successfully')).toBeVisible()
  const row = page.getByRole('row', { name: new RegExp(email) })
  await expect(row).toHaveText(/Kim Vogt.*UserSalesActive/)

  await row.getByRole('button', { name: 'Edit Kim Vogt' }).press('Enter')
  await field(page, 'Last Name').press('Control+a')
  await keyboard.type('Vogel')
  await keyboard.press('Escape')
  const question = page.getByRole('alertdialog', { name: 'Discard your changes?' })
  await expect(question.getByRole('button', { name: 'Keep editing' })).toBeFocused()
  await keyboard.press('Enter')
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await field(page, 'Last Name').press('Enter')
  await expect(page.getByText('User updated successfully')).toBeVisible()

  await row.getByRole('button', { name: 'Deactivate Kim Vogel' }).press('Enter')
  await expect(dialog(page).getByText(/Are you sure you want to deactivate this user\?/)).toBeVisible()
  await confirmWithKeyboard(dialog(page))
  await expect(page.getByText('User deactivated successfully')).toBeVisible()
  await expect(row.getByText('Inactive')).toBeVisible()
  const activate = row.getByRole('button', { name: 'Activate Kim Vogel' })
  await activate.press('Enter')
  await dialog(page).getByRole('button', { name: 'Activate user' }).press('Enter')
  await expect(row.getByText('Active', { exact: true })).toBeVisible()
})

for (const [width, height] of [
  [1440, 900],
  [360, 740],
] as const) {
  test(`pages and dialogs of corporations are accessible and fit ${width} px`, async ({ page }) => {
    test.setTimeout(240_000)
    const look = async () => {
      await checkLayout(page)
    }
    await page.setViewportSize({ width, height })
    await page.goto('/dashboard/corporations')
    await expect(page.getByText(/^Showing 1 to \d+ of \d+ items$/)).toBeVisible()
    await look()
    await page.getByRole('button', { name: 'Add corporation' }).click()
    await expect(dialog(page).getByRole('checkbox', { name: 'Contacts' })).toBeVisible()
    await submit(page)
    await expect(dialog(page).getByText('Company Name is required')).toBeVisible()
    await look()
    await page.keyboard.press('Escape')
    await expect(dialog(page)).toBeHidden()
    await edit(page, { name: 'Kestrel Cars Ltd' })
    await look()
    await page.keyboard.press('Escape')
    await (await rowAction(page, 'Kestrel Cars Ltd', 'Delete Kestrel Cars Ltd')).click()
    await expect(dialog(page)).toBeVisible()
    await look()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Kestrel Cars Ltd', exact: true }).click()
    await page.getByRole('button', { name: 'Add User' }).click()
    await expect(field(page, 'First Name')).toBeVisible()
    await look()
    await page.keyboard.press('Escape')
    await (await rowAction(page, 'Grace Whitfield', 'Deactivate Grace Whitfield')).click()
    await expect(dialog(page)).toBeVisible()
    await look()
  })
}
