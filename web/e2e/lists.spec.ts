import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { sessionOf } from './accounts'
import { create } from './api'
import { kinds } from './kinds'
import { checkAccessibility, checkLayout, expect, tabTo, test } from './test'

/** Creates contacts through the API, with a new, unique word in their addresses. Returns the word, to search for it. */
async function createContacts(page: Page, names: string[]): Promise<string> {
  const word = `pier${crypto.randomUUID().slice(0, 8)}`
  await page.goto('/dashboard/profile')
  for (const [index, name] of names.entries()) {
    await create(page, '/api/contacts', {
      name,
      email: `${word}.${index}@mail.example`,
      phone: index % 2 === 0 ? '+46 70 123 45 67' : '',
      address: `${word} ${index}`,
    })
  }
  return word
}

const showing = (page: Page, text: string) => page.getByText(`Showing ${text} contacts`)
const names = (page: Page) => page.getByRole('table').getByRole('link', { name: /^(?!View)/ })
const NAMES = ['Öman', 'Åberg', 'Ek', 'Zorn']

test.describe('a user who works in a list', () => {
  test.use({ storageState: sessionOf('admin'), viewport: { width: 1440, height: 900 } })

  test('sorts, filters, chooses columns and saves a view with the keyboard alone', async ({ page }) => {
    test.setTimeout(240_000)
    const word = await createContacts(page, NAMES)
    await page.goto('/dashboard/contacts')
    await expect(page.getByRole('button', { name: 'Add filter' })).toBeVisible()
    await page.keyboard.press('f')
    await expect(page.getByRole('textbox', { name: 'Find a field' })).toBeFocused()
    await page.keyboard.type('addr')
    await page.keyboard.press('Enter')
    await tabTo(page, page.getByRole('textbox', { name: 'Value' }))
    await page.keyboard.type(word.toUpperCase())
    await page.keyboard.press('Enter')
    await expect(showing(page, '1 to 4 of 4')).toBeVisible()
    await expect(page.getByRole('button', { name: `Address contains ${word.toUpperCase()}` })).toBeVisible()

    const sort = page.getByRole('columnheader', { name: 'Name' }).getByRole('button')
    await tabTo(page, sort)
    await page.keyboard.press('Enter')
    await expect(names(page)).toHaveText(['Åberg', 'Ek', 'Öman', 'Zorn'])
    await page.keyboard.press('Enter')
    await expect(names(page)).toHaveText(['Zorn', 'Öman', 'Ek', 'Åberg'])
    await expect(page.getByRole('columnheader', { name: 'Name' })).toHaveAttribute('aria-sort', 'descending')
    const phone = page.getByRole('columnheader', { name: 'Phone' }).getByRole('button')
    await tabTo(page, phone)
    await page.keyboard.press('Enter')
    await tabTo(page, sort)
    await page.keyboard.press('Shift+Enter')
    await expect(names(page)).toHaveText(['Åberg', 'Zorn', 'Ek', 'Öman'])
    await page.goBack()
    await expect(page).toHaveURL(/sort=phone&/)

    await tabTo(page, page.getByRole('button', { name: 'Columns' }))
    await page.keyboard.press('Enter')
    const columns = page.getByRole('dialog', { name: 'Columns' })
    await tabTo(page, columns.getByRole('checkbox', { name: 'Created' }))
    await page.keyboard.press('Space')
    await page.keyboard.press('Shift+Tab')
    await expect(columns.getByRole('button', { name: 'Move Created' })).toBeFocused()
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('ArrowRight')
    await expect(page.getByRole('columnheader', { name: 'Created' })).toBeVisible()
    await checkAccessibility(page)
    await page.keyboard.press('Escape')

    const name = `View ${word}`
    await tabTo(page, page.getByRole('button', { name: 'Save view' }))
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Save view' }).getByLabel('Name').pressSequentially(name)
    await checkAccessibility(page)
    await page.keyboard.press('Enter')
    await expect(page.getByText('View saved')).toBeVisible()
    const tab = page.getByRole('navigation', { name: 'Views' }).getByRole('link', { name })
    await expect(tab).toHaveAttribute('aria-current', 'true')
    await checkAccessibility(page)

    // The saved view shows the same after a reload, and when it is opened from the tab of all contacts.
    await page.reload()
    await expect(showing(page, '1 to 4 of 4')).toBeVisible()
    await page.getByRole('link', { name: 'All', exact: true }).click()
    await expect(page.getByRole('columnheader', { name: 'Created' })).toBeHidden()
    await tab.click()
    await expect(page.getByRole('columnheader', { name: 'Created' })).toBeVisible()
    await expect(showing(page, '1 to 4 of 4')).toBeVisible()
    await page.getByRole('button', { name: 'Change this view' }).click()
    await page.getByRole('menuitem', { name: 'Delete view…' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete view' }).click()
    await expect(page.getByText('View deleted')).toBeVisible()
  })

  test('changes, exports and deletes several contacts', async ({ page }) => {
    test.setTimeout(180_000)
    const word = await createContacts(page, NAMES)
    const filter = JSON.stringify([{ field: 'address', op: 'contains', value: word }])
    await page.goto(`/dashboard/contacts?${new URLSearchParams({ sort: 'name', filter })}`)
    const bar = page.getByRole('region', { name: 'Selection' })
    const all = page.getByRole('checkbox', { name: 'Select all on this page' })
    await tabTo(page, all)
    await page.keyboard.press('Space')
    await expect(bar).toContainText('4 of 4 selected')
    await checkAccessibility(page)
    await bar.getByRole('button', { name: 'Edit…' }).click()
    const edit = page.getByRole('dialog', { name: 'Edit contacts' })
    await edit.getByRole('combobox', { name: 'Field' }).click()
    await page.getByRole('option', { name: 'Address' }).click()
    await edit.getByLabel('New value').fill(`${word} Quay`)
    await edit.getByRole('button', { name: 'Show what will change' }).click()
    await expect(edit.getByText('4 records will change.')).toBeVisible()
    await checkAccessibility(page)
    await edit.getByRole('button', { name: 'Change 4' }).click()
    await expect(page.getByText('4 records were changed')).toBeVisible()
    await expect(bar).toBeHidden()

    const started = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'CSV file' }).click()
    const file = await started
    expect(file.suggestedFilename()).toMatch(/contacts.*\.csv$/)
    const lines = (await readFile(await file.path(), 'utf8')).trim().split(/\r?\n/)
    expect(lines[0]).toContain('name,email')
    expect(lines.slice(1).map(line => NAMES.find(name => line.includes(name)))).toEqual([
      'Åberg',
      'Ek',
      'Öman',
      'Zorn',
    ])
    expect(lines[1]).toContain(`${word} Quay`)

    await page.getByRole('checkbox', { name: 'Select Åberg' }).click()
    await page.getByRole('checkbox', { name: 'Select Öman' }).click({ modifiers: ['Shift'] })
    await expect(bar).toContainText('3 of 4 selected')
    await bar.getByRole('button', { name: 'Delete…' }).click()
    const question = page.getByRole('dialog', { name: 'Delete contacts' })
    await expect(question.getByText('3 records will be deleted.')).toBeVisible()
    await checkAccessibility(page)
    await question.getByRole('button', { name: 'Delete 3' }).click()
    await expect(page.getByText('3 records were deleted')).toBeVisible()
    await expect(names(page)).toHaveText(['Zorn'])
  })

  test('resizes a column with the mouse, and the others keep their widths', async ({ page }) => {
    await page.goto('/dashboard/contacts')
    const width = async (name: string) =>
      (await page.getByRole('columnheader', { name }).boundingBox())?.width ?? 0
    await expect(page.getByRole('columnheader', { name: 'Email' })).toBeVisible()
    const [email, phone] = [await width('Email'), await width('Phone')]
    const box = await page.getByRole('columnheader', { name: 'Email' }).boundingBox()
    if (!box) throw new Error('the header has no box')
    const [x, y] = [box.x + box.width - 3, box.y + box.height / 2]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x - 60, y, { steps: 5 })
    await page.mouse.up()
    await expect.poll(async () => Math.round((await width('Email')) - email)).toBe(-60)
    expect(Math.abs((await width('Phone')) - phone)).toBeLessThan(2)
    await page.reload()
    await expect.poll(async () => Math.round((await width('Email')) - email)).toBe(-60)
  })

  test.describe('with wrong parameters in the address', () => {
    test.use({ expectedStatuses: [400] })

    for (const parameters of ['sort=age', 'filter=%5B%7B%22field%22%3A%22age%22%7D%5D', 'filter=x'])
      test(`a list with ${parameters} shows an error, and offers to open without sort and filter`, async ({
        page,
      }) => {
        await page.goto(`/dashboard/contacts?${parameters}`)
        await expect(page.getByRole('alert')).toContainText('Failed to load contacts')
        await checkAccessibility(page)
        await page.getByRole('link', { name: 'Show without sort and filter' }).click()
        await expect(page.getByRole('table')).toBeVisible()
      })
  })

  for (const list of [...kinds, 'users'])
    test(`sorts and filters ${list}, and the tools fit a tablet`, async ({ page }) => {
      await page.goto(`/dashboard/${list}`)
      const header = page
        .getByRole('columnheader')
        .filter({ has: page.getByRole('button') })
        .first()
      const column = await header.innerText()
      await header.getByRole('button').click()
      await expect(header).toHaveAttribute('aria-sort', 'ascending')
      await expect(page).toHaveURL(/sort=/)

      await page.setViewportSize({ width: 1024, height: 768 })
      await page.getByRole('button', { name: 'Columns' }).click()
      await expect(page.getByRole('dialog', { name: 'Columns' })).toBeVisible()
      await checkLayout(page)
      await page.keyboard.press('Escape')
      await page.setViewportSize({ width: 1440, height: 900 })

      const field = list === 'users' ? 'Email' : column
      await page.getByRole('button', { name: 'Add filter' }).click()
      const fields = page.getByRole('dialog', { name: 'Add filter' })
      await fields.getByRole('button', { name: field, exact: true }).click()
      await page.getByRole('textbox', { name: 'Value' }).fill('nobody-has-this')
      await page.getByRole('button', { name: 'Apply' }).click()
      await expect(page.getByText('Nothing matches the filter')).toBeVisible()
      await checkAccessibility(page)
      await page.getByRole('link', { name: 'Clear filters' }).click()
      await expect(page.getByRole('table')).toBeVisible()
    })
})

test.describe('in a narrow window', () => {
  test.use({ storageState: sessionOf('admin') })

  test('a sheet filters and sorts on a phone', async ({ page }) => {
    const word = await createContacts(page, NAMES)
    await page.setViewportSize({ width: 360, height: 740 })
    await page.goto('/dashboard/contacts')
    await page.getByRole('button', { name: 'Filter and sort' }).click()
    const sheet = page.getByRole('dialog', { name: 'Filter and sort' })
    await sheet.getByRole('button', { name: 'Add filter' }).click()
    await sheet.getByRole('button', { name: 'Email' }).click()
    await sheet.getByRole('textbox', { name: 'Value' }).fill(word)
    await sheet.getByRole('button', { name: 'Apply' }).click()
    await sheet.getByRole('combobox', { name: 'Sort by' }).click()
    await page.getByRole('option', { name: 'Name' }).click()
    await checkAccessibility(page)
    await sheet.getByRole('button', { name: 'Done' }).click()
    await expect(
      page.getByRole('list', { name: 'Contacts' }).getByRole('link', { name: /^(?!Call|Email)/ }),
    ).toHaveText(['Åberg', 'Ek', 'Öman', 'Zorn'])
    await checkLayout(page)
    const row = await page.getByText(`${word}.1@mail.example`).boundingBox()
    if (!row) throw new Error('the row has no box')
    await page.mouse.move(row.x + 5, row.y + 5)
    await page.mouse.down()
    await expect(page.getByRole('region', { name: 'Selection' })).toContainText('1 of 4 selected')
    await page.mouse.up()
    await page.getByRole('checkbox', { name: 'Select Zorn' }).click()
    await expect(page.getByRole('region', { name: 'Selection' })).toContainText('2 of 4 selected')
    await checkLayout(page)
  })
})
