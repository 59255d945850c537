import type { Locator, Page } from '@playwright/test'
import { PASSWORD, sessionOf, signInInNewBrowser } from './accounts'
import { kinds, titleOf } from './kinds'
import { checkAccessibility, checkLayout, expect, test } from './test'

const main = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const profileMenu = (page: Page) => page.getByRole('button', { name: /^Profile menu of/ })

/** Fails unless all visible controls are large enough for a finger. */
async function expectTouchTargets(controls: Locator) {
  for (const control of await controls.filter({ visible: true }).all()) {
    const name = (await control.getAttribute('aria-label')) ?? (await control.textContent()) ?? ''
    // Polled, because a control in a menu is smaller while the menu opens.
    await expect
      .poll(async () => {
        const box = await control.boundingBox()
        return Math.min(box?.width ?? 0, box?.height ?? 0)
      }, name)
      .toBeGreaterThanOrEqual(44)
  }
}

/** Sends an API request with the session of this page, past the app's screens. */
async function call<T = { success: boolean }>(
  page: Page,
  method: string,
  path: string,
  form?: object,
): Promise<T> {
  const answer = await page.evaluate(
    async ([method, path, body]) => {
      const headers = {
        authorization: `Bearer ${localStorage.getItem('accessToken')}`,
        'content-type': 'application/json',
      }
      const response = await fetch(path, { method, headers, body })
      return response.json()
    },
    [method, path, form && JSON.stringify(form)] as const,
  )
  expect(answer, `${method} ${path}`).toMatchObject({ success: true })
  return answer
}

test.describe('an administrator', () => {
  test.use({ storageState: sessionOf('admin'), viewport: { width: 1440, height: 900 } })

  test('navigates the menus by keyboard only', async ({ page }) => {
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    for (const name of [/^Forecourt.*home$/, 'Customers', 'Invoices']) {
      await page.keyboard.press('Tab')
      await expect(page.getByRole('banner').getByRole('link', { name })).toBeFocused()
    }
    await page.keyboard.press('Tab')
    const contacts = main(page).getByRole('button', { name: 'Contacts' })
    await expect(contacts).toBeFocused()
    await expect(contacts).not.toHaveAttribute('aria-current')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name: 'All contacts' })).toBeFocused()
    await checkAccessibility(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('menu')).toHaveCount(0)
    await expect(contacts).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'All contacts' })).toBeFocused()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('menuitem', { name: 'Imports' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/dashboard/contacts/imports')
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await expect(contacts).toHaveAttribute('aria-current', 'true')

    await profileMenu(page).focus()
    await page.keyboard.press('Enter')
    const menu = page.getByRole('menu')
    await expect(menu).toContainText('Ada Lindqvist')
    await expect(menu).toContainText('admin@nordbil.example')
    await expect(menu.getByRole('menuitem')).toHaveText([
      'Users Management',
      'Roles Management',
      'History',
      'Subscriptions',
      'Trash',
      'Personal data',
      'Profile',
      'Sign out',
    ])
    await checkAccessibility(page)
    await page.keyboard.type('sub')
    await expect(page.getByRole('menuitem', { name: 'Subscriptions' })).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(page).toHaveTitle('Subscriptions · Forecourt')
    await expect(page.getByText('Nordbil AB has every available module.')).toBeVisible()
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
    await checkAccessibility(page)
  })

  test('navigates the phone menu by keyboard only', async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/dashboard/contacts')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(main(page)).toHaveCount(0)
    await expectTouchTargets(page.getByRole('banner').locator('a, button'))
    const tabs = page.getByRole('navigation', { name: 'Tabs' })
    await expectTouchTargets(tabs.locator('a, button'))
    const open = tabs.getByRole('button', { name: 'More' })
    await open.focus()
    await page.keyboard.press('Enter')
    const sheet = page.getByRole('dialog', { name: /Navigation of/ })
    await expect(sheet.getByRole('link', { name: 'All contacts' })).toHaveAttribute('aria-current', 'page')
    const records = kinds.filter(kind => kind !== 'contacts').map(titleOf)
    expect((await sheet.getByRole('link').allTextContents()).sort()).toEqual(
      [
        ...[...records, 'All contacts', 'Imports', 'Users Management', 'Roles Management', 'History'],
        ...['Subscriptions', 'Trash', 'Personal data', 'Profile'],
      ].sort(),
    )
    await expectTouchTargets(sheet.locator('a, button'))
    await checkAccessibility(page)
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expect(open).toBeFocused()
    const hamburger = page.getByRole('banner').getByRole('button', { name: 'Open navigation' })
    await hamburger.press('Enter')
    await expect(sheet).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expect(hamburger).toBeFocused()
    await open.press('Enter')
    await sheet.getByRole('link', { name: 'Imports' }).focus()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL('/dashboard/contacts/imports')
    await expect(sheet).toBeHidden()
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused()

    await profileMenu(page).focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
    await expectTouchTargets(page.getByRole('menuitem'))
    await checkLayout(page)
  })
})

test.describe('a new corporation', () => {
  // In order, because each test continues with the records of the one before.
  test.describe.configure({ mode: 'serial' })
  test.use({ storageState: sessionOf('platform'), expectedStatuses: [403] })
  test.setTimeout(150_000)

  const mark = Date.now()
  const [admin, user] = [`nora.${mark}@harbour.example`, `finn.${mark}@harbour.example`]
  const name = `Harbour Cars ${mark}`
  let role = ''

  const grants = (...resources: string[]) => ({
    permissions: resources.map(resource_id => ({
      resource_id,
      can_read: true,
      subresources: resource_id === 'contacts' ? [{ resource_id: 'contacts.list', can_read: true }] : [],
    })),
  })

  test('shows the upgrade page and the contact person for a missing module', async ({
    page,
    browser,
    baseURL,
  }) => {
    await page.goto('/dashboard')
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await call(page, 'POST', '/api/orgs/register', {
      organization_number: `HRB ${mark}`,
      corp_name: name,
      street_address: 'Quay 1',
      registered_city: 'Bremen',
      postal_code: '28195',
      city: 'Bremen',
      company_email: 'office@harbour.example',
      company_phone: '+49 421 555 0199',
      allowed_resources: ['contacts', 'users', 'roles'],
      admin_data: {
        first_name: 'Nora',
        last_name: 'Brandt',
        email: admin,
        phone: '+49 421 555 0198',
        password: PASSWORD,
      },
    })
    const nora = await signInInNewBrowser(browser, baseURL, admin)
    const made = await call<{ data: { role_id: string } }>(nora, 'POST', '/api/rbac/roles', {
      name: 'Reader',
      description: 'Reads contacts',
    })
    role = made.data.role_id
    await call(nora, 'POST', `/api/rbac/roles/${role}/permissions`, grants('contacts'))
    await call(nora, 'POST', '/api/users', {
      first_name: 'Finn',
      last_name: 'Olsen',
      email: user,
      mobile: '+49 421 555 0197',
      password: PASSWORD,
      user_type: 'User',
      role_id: role,
    })
    await nora.context().close()

    const finn = await signInInNewBrowser(browser, baseURL, user)
    await finn.goto('/dashboard/invoices')
    const banner = finn.getByText('Upgrade Required for Invoices')
    await expect(banner).toBeVisible()
    await expect(finn.getByText("Invoices isn't included yet")).toBeVisible()
    await expect(main(finn).getByText('Invoices')).toHaveCount(0)
    await checkAccessibility(finn)
    await finn.setViewportSize({ width: 360, height: 740 })
    await checkLayout(finn)
    await finn.getByRole('button', { name: 'Close the upgrade notice' }).click()
    await expect(banner).toHaveCount(0)
    await expect(finn.getByRole('main')).toBeFocused()
    await finn.goto('/dashboard/customers')
    await expect(finn.getByText('Upgrade Required for Customers')).toBeVisible()

    await finn.getByRole('link', { name: 'View subscriptions' }).click()
    await expect(finn).toHaveURL('/dashboard/subscriptions')
    await expect(finn.getByText('Upgrade Required for')).toHaveCount(0)
    const modules = finn.getByRole('heading', { level: 3 })
    await expect(modules.first()).toBeVisible()
    expect((await modules.allTextContents()).sort()).toEqual(
      [...kinds.map(titleOf), 'Users Management', 'Roles Management', 'History'].sort(),
    )
    const ask = finn.getByRole('link', { name: 'Request an upgrade' })
    await expect(ask).toHaveAttribute('href', new RegExp(`^mailto:${admin}\\?`))
    await checkLayout(finn)
    // The role doesn't grant this resource. The corporation has it, so no upgrade is offered.
    await finn.goto('/dashboard/users')
    await expect(finn.getByText("Your role doesn't include Users Management")).toBeVisible()
    await expect(finn.getByRole('link', { name: 'Email Nora Brandt' })).toBeVisible()
    await expect(finn.getByText('Upgrade Required for')).toHaveCount(0)
    await checkAccessibility(finn)
    await finn.context().close()
  })

  test("a changed role updates its user's menu without a new sign-in", async ({ browser, baseURL }) => {
    const nora = await signInInNewBrowser(browser, baseURL, admin)
    const finn = await signInInNewBrowser(browser, baseURL, user)
    await finn.goto('/dashboard')
    const contacts = main(finn).getByRole('button', { name: 'Contacts' })
    await contacts.click()
    await expect(finn.getByRole('menuitem')).toHaveText(['All contacts'])
    await finn.keyboard.press('Escape')

    await call(nora, 'POST', `/api/rbac/roles/${role}/permissions`, grants('users'))
    // The menu still shows the link of the old permissions, but the server already applies the new ones.
    await contacts.click()
    await finn.getByRole('menuitem', { name: 'All contacts' }).click()
    await expect(finn.getByText("Your role doesn't include Contacts")).toBeVisible()
    await expect(contacts).toHaveCount(0)
    await profileMenu(finn).click()
    await expect(finn.getByRole('menuitem', { name: 'Users Management' })).toBeVisible()
    await finn.keyboard.press('Escape')

    await call(nora, 'POST', `/api/rbac/roles/${role}/permissions`, grants('contacts'))
    await expect(async () => {
      await finn.evaluate(() => dispatchEvent(new Event('focus')))
      await expect(contacts).toBeVisible({ timeout: 1_000 })
    }).toPass({ timeout: 30_000 })
    await expect(finn.getByText('No contacts yet')).toBeVisible()
    await nora.context().close()
    await finn.context().close()
  })

  test('a module that the corporation no longer has leaves the menu when one of its pages is opened', async ({
    page,
    browser,
    baseURL,
  }) => {
    await page.goto('/dashboard')
    const found = await call<{ data: { corp_id: string }[] }>(
      page,
      'GET',
      `/api/corporations?page=1&limit=1&search=${encodeURIComponent(name)}`,
    )
    const corp_id = found.data[0]?.corp_id
    const details = await call<{ data: { organization: object } }>(
      page,
      'GET',
      `/api/corporations/${corp_id}/full-details`,
    )
    const allow = (...allowed_resources: string[]) =>
      call(page, 'PUT', '/api/orgs/update', {
        ...details.data.organization,
        corp_id,
        corp_active: true,
        allowed_resources,
        agreed: true,
      })
    const finn = await signInInNewBrowser(browser, baseURL, user)
    await finn.goto('/dashboard')
    const contacts = main(finn).getByRole('button', { name: 'Contacts' })
    await expect(contacts).toBeVisible()
    await allow('users', 'roles')
    await contacts.click()
    await finn.getByRole('menuitem', { name: 'All contacts' }).click()
    await expect(finn.getByText("Contacts isn't included yet")).toBeVisible()
    await expect(finn.getByText('Upgrade Required for Contacts')).toBeVisible()
    await expect(contacts).toHaveCount(0)

    await finn.context().close()
  })
})
