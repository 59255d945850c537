import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { customers, openCustomers } from '~/test/customers'
import { serveImports } from '~/test/imports'
import { network } from '~/test/network'
import { open, signInUser } from '~/test/open'
import { allPermissions, readPermission } from '~/test/rights'

const form = page.getByRole('dialog', { name: 'Add New Customer' })
const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
const palette = page.getByRole('dialog', { name: 'Find anything' })
const search = page.getByRole('searchbox')
const newCustomer = page.getByRole('button', { name: 'New Customer' })
const press = (keys: string) => userEvent.keyboard(keys)

/** Returns the rows of the dialog of shortcuts, each with its description and key. */
const rows = () =>
  help
    .getByRole('term')
    .elements()
    .map(term => [term.textContent, term.nextElementSibling?.textContent])

/** Opens a list of two customers. */
async function openTwoCustomers(may = allPermissions) {
  openCustomers(customers(2), { may })
  await expect.element(page.getByText('Showing 1 to 2 of 2 items')).toBeVisible()
}

test("the key n acts like the page's create button and restores focus", async () => {
  await openTwoCustomers()
  const opener = page.getByRole('button', { name: 'Details of Maja Holm 2' })
  opener.element().focus()
  await press('n')
  await expect.element(form).toBeVisible()
  await press('{Escape}')
  await expect.element(form).not.toBeInTheDocument()
  await expect.element(opener).toHaveFocus()
})

test('the key n does nothing without create permission', async () => {
  await openTwoCustomers(readPermission)
  await press('n?')
  await expect.element(help).toBeVisible()
  expect(rows().map(([name]) => name)).not.toContain('New Customer')
  await expect.element(form).not.toBeInTheDocument()
})

test('single-key shortcuts do nothing while typing, with a modifier key, or in a dialog', async () => {
  await openTwoCustomers()
  await press('/')
  await expect.element(search).toHaveFocus()
  await press('n?/')
  await expect.element(search).toHaveValue('n?/')
  await expect.element(help).not.toBeInTheDocument()
  newCustomer.element().focus()
  await press('{Control>}n{/Control}{Alt>}n{/Alt}{Shift>}N{/Shift}')
  await expect.element(form).not.toBeInTheDocument()
  await press('?')
  await expect.element(help).toBeVisible()
  await press('n/')
  await expect.element(form).not.toBeInTheDocument()
  await expect.element(help).toBeVisible()
})

test('a letter in an open menu is no shortcut', async () => {
  await openTwoCustomers()
  await page.getByRole('button', { name: /^Profile menu/ }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
  await press('n')
  await expect.element(form).not.toBeInTheDocument()
  await expect.element(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
})

test('the question mark lists the shortcuts of the page and the app', async () => {
  await openTwoCustomers()
  await press('?')
  await expect.element(help).toBeVisible()
  const section = (name: string) => help.getByRole('region', { name })
  await expect.element(section('On this screen')).toHaveTextContent(/Search by Name.*\/.*New Customer.*N/)
  await expect.element(section('In lists')).toHaveTextContent(/Select all rows up to the focused one/)
  expect(rows().toSorted()).toEqual([
    ['Add filter', 'F'],
    ['Find anything', 'Ctrl K'],
    ['Go to the newest notification, and back', 'F6'],
    ['Keyboard shortcuts', '?'],
    ['New Customer', 'N'],
    ['Search by Name, Email, or Address', '/'],
    ['Select all rows up to the focused one', 'Shift Space'],
    ['Undo a deletion', 'Ctrl Z'],
  ])
})

test.each([
  { rights: 'read', may: readPermission, names: [] },
  {
    rights: 'update',
    may: { ...readPermission, can_update: true },
    names: ['Select all rows up to the focused one'],
  },
  {
    rights: 'delete',
    may: { ...readPermission, can_delete: true },
    names: ['Select all rows up to the focused one', 'Undo a deletion'],
  },
])('the shortcuts of selecting and undoing need their permission: $rights', async ({ may, names }) => {
  await openTwoCustomers(may)
  await press('?')
  await expect.element(help).toBeVisible()
  expect(rows().flatMap(([name]) => (/^(Undo|Select all)/.test(name ?? '') ? [name] : []))).toEqual(names)
})

test('two shortcuts that do the same share a row', async () => {
  signInUser()
  open('/dashboard')
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  await press('?')
  await expect.element(help).toBeVisible()
  expect(rows().filter(([name]) => name === 'Find anything')).toEqual([['Find anything', 'Ctrl K/']])
})

test('the slash opens the palette on a page without a list', async () => {
  signInUser()
  open('/dashboard')
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  await press('/')
  await expect.element(palette).toBeVisible()
  await expect.element(palette.getByRole('combobox')).toHaveValue('')
})

test('single-key shortcuts can be disabled, and enabled again through the palette', async () => {
  await openTwoCustomers()
  await expect.element(newCustomer).toHaveAttribute('aria-keyshortcuts', 'n')
  await expect.element(search).toHaveAttribute('aria-keyshortcuts', '/')
  await press('?')
  await help.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await expect.element(help.getByRole('region', { name: 'On this screen' })).toHaveTextContent(/offN/)
  await press('{Escape}')
  await expect.element(help).not.toBeInTheDocument()
  await expect.element(newCustomer).not.toHaveAttribute('aria-keyshortcuts')
  await expect.element(search).not.toHaveAttribute('aria-keyshortcuts')
  await press('n?/')
  for (const one of [form, help, palette]) await expect.element(one).not.toBeInTheDocument()
  await expect.element(search).not.toHaveFocus()

  await press('{Control>}k{/Control}')
  await expect.element(palette.getByRole('combobox')).toHaveFocus()
  await press('shortcuts{Enter}')
  await help.getByRole('switch', { name: 'Single-key shortcuts' }).click()
  await press('{Escape}')
  await expect.element(help).not.toBeInTheDocument()
  await press('n')
  await expect.element(form).toBeVisible()
})

test('the key n starts an import on Imports and a contact on Contacts', async () => {
  signInUser()
  network.on('GET /api/contacts', () => ({
    body: { success: true, data: [], pagination: { currentPage: 1, totalPages: 1, totalContacts: 0 } },
  }))
  serveImports()
  const app = open('/dashboard/contacts')
  await expect.element(page.getByRole('button', { name: '+ Add New Contact' })).toBeVisible()
  await press('n')
  const dialog = page.getByRole('dialog', { name: 'Create New Contact' })
  await expect.element(dialog).toBeVisible()
  await press('{Escape}')
  await expect.element(dialog).not.toBeInTheDocument()
  await app.visit('/dashboard/contacts/imports')
  await expect.element(page.getByRole('heading', { level: 1, name: 'Imports' })).toBeVisible()
  await press('n')
  await expect.poll(app.address).toBe('/dashboard/contacts/imports/new')
})
