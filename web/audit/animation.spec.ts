import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from '@playwright/test'
import { accounts, signIn } from '../e2e/accounts'
import { SCREENS } from './results'
import { animatedWebp, type Frame } from './webp'

const ROWS = 100_000
const SIZE = { width: 1120, height: 700 }
/** How long the last picture stays, in milliseconds. */
const LAST = 4_000

/** Returns a CSV file of which one row in 50 has an invalid email address. */
function manyPeople() {
  const lines = ['Name;E-post;Telefon;Stad']
  for (let row = 1; row <= ROWS; row++)
    lines.push(
      `Person ${row};${row % 50 ? `person-${row}@bulk.example` : 'person at bulk'};+46 70 174 06 05;Malmö`,
    )
  return { name: 'customers.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) }
}

test(`an animated picture shows ${ROWS} rows being checked`, async ({ page, context }) => {
  test.setTimeout(120_000)
  await page.setViewportSize(SIZE)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/login')
  await signIn(page, accounts.weser)
  await page.goto('/dashboard/contacts/imports/new')
  await expect(page.getByLabel('Contacts file')).toBeAttached()

  const session = await context.newCDPSession(page)
  const pictures: { data: string; at: number }[] = []
  let isRecording = true
  const recording = (async () => {
    while (isRecording) {
      const at = performance.now()
      const { data } = await session.send('Page.captureScreenshot', {
        format: 'webp',
        quality: 60,
        optimizeForSpeed: true,
      })
      if (data !== pictures.at(-1)?.data) pictures.push({ data, at })
    }
  })()
  await page.waitForTimeout(1_000)
  await page.getByLabel('Contacts file').setInputFiles(manyPeople())
  await expect(page.getByRole('cell', { name: 'Person 1', exact: true })).toBeVisible()
  await page.waitForTimeout(1_000)
  await page.getByRole('button', { name: 'Next' }).click()
  await expect(page.getByText(/100,000 rows checked/)).toBeVisible()
  isRecording = false
  await recording

  const frames: Frame[] = pictures.map(({ data, at }, index) => ({
    picture: Buffer.from(data, 'base64'),
    milliseconds: Math.round((pictures[index + 1]?.at ?? at + LAST) - at),
  }))
  const animation = animatedWebp(SIZE, frames)
  writeFileSync(join(SCREENS, 'import-animation.webp'), animation)
  process.stdout.write(`${frames.length} pictures, ${Math.round(animation.length / 1024)} KiB\n`)
})
