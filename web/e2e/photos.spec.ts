import { sessionOf } from './accounts'
import {
  checkAccessibility,
  checkLayout,
  devices,
  expect,
  expectNoOverflow,
  test,
  uniqueLetters,
} from './test'

for (const { viewport } of Object.values(devices)) {
  test.describe(`a seller on ${viewport.width} px`, () => {
    test.use({ storageState: sessionOf('admin'), viewport })

    test('adds a vehicle with photos, orders and removes them, and moves it on the board', async ({
      page,
    }) => {
      test.setTimeout(300_000)
      const plate = `P${uniqueLetters()}`.toUpperCase()
      const name = `Saab 9-5, ${plate}`
      const sent: number[] = []
      page.on('response', response => {
        const { pathname } = new URL(response.url())
        if (/^\/api\/vehicles\/[^/]+\/photos$/.test(pathname) && response.request().method() === 'POST')
          sent.push(response.status())
      })
      await page.goto('/dashboard/vehicles')
      // A screenshot of the page serves as the photo.
      const picture = await page.screenshot({ type: 'jpeg' })
      const file = (index: number) => ({
        name: `bil å ${index}.jpg`,
        mimeType: 'image/jpeg',
        buffer: picture,
      })
      const choose = async (...indexes: number[]) => {
        const chooser = page.waitForEvent('filechooser')
        await page.getByRole('button', { name: 'Add photos' }).click()
        await (await chooser).setFiles(indexes.map(file))
      }
      await page.getByRole('button', { name: 'New vehicle' }).first().click()
      const form = page.getByRole('dialog', { name: 'New vehicle' })
      await form.getByLabel('Registration number').fill(plate)
      await choose(1, 2, 3)
      await form.getByLabel('Make').fill('Saab')
      await form.getByLabel('Model', { exact: true }).fill('9-5')
      await checkLayout(page)
      await form.getByRole('button', { name: 'Create vehicle' }).click()
      await expect(page.getByText('Vehicle created')).toBeVisible()
      // The photos are sent while the list is shown, after the form of the new vehicle has closed.
      await expect.poll(() => sent).toEqual([201, 201, 201])

      await page.goto(`/dashboard/vehicles?search=${plate}`)
      await page.getByRole('link', { name }).click()
      const photos = page.getByRole('list', { name: 'All photos' }).getByRole('button')
      await expect(page.getByText(/^Cover/)).toBeVisible()
      await choose(4, 5)
      await expect(photos).toHaveCount(5)
      await checkAccessibility(page)
      await expectNoOverflow(page)
      const source = () => page.getByRole('img', { name: /1 of 5$/ }).getAttribute('src')
      const first = await source()
      await page.getByRole('button', { name: 'Move photo forward' }).click()
      await expect(page.getByRole('button', { name: 'Show photo 2 of 5 in full size' })).toBeVisible()
      await page.getByRole('button', { name: 'Remove photo…' }).click()
      await page.getByRole('button', { name: 'Remove photo', exact: true }).click()
      await expect(photos).toHaveCount(4)
      await page.reload()
      await expect(photos).toHaveCount(4)
      expect(await page.getByRole('img', { name: /1 of 4$/ }).getAttribute('src')).not.toBe(first)
      await page.getByRole('button', { name: 'Show photo 1 of 4 in full size' }).click()
      await checkAccessibility(page)
      await page.keyboard.press('Escape')

      await page.goto(`/dashboard/vehicles?search=${plate}&layout=board`)
      await page.getByRole('button', { name: `Move ${name}` }).click()
      await page.getByRole('menuitem', { name: 'Reserved' }).click()
      const reserved = page.getByRole('region', { name: 'Reserved', exact: true })
      await expect(reserved.getByRole('link', { name: 'Saab 9-5' })).toBeVisible()
      await checkAccessibility(page)
      await expectNoOverflow(page)
    })
  })
}
