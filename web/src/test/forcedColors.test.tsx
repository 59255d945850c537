import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { cdp, page } from 'vitest/browser'
import { serveContactCount } from './contacts'
import { open, signInUser } from './open'

beforeEach(async () => {
  signInUser()
  serveContactCount(30)
  open('/dashboard/contacts')
  await expect.element(page.getByText('Person 1', { exact: true })).toBeVisible()
})

async function forceColors() {
  onTestFinished(async () => {
    await cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value: '' }] })
  })
  await cdp().send('Emulation.setEmulatedMedia', { features: [{ name: 'forced-colors', value: 'active' }] })
}

test('in forced-colors mode, what is current or pressed has an outline', async () => {
  const main = page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Contacts' })
    .element()
  const current = page.getByRole('link', { name: 'Page 1' }).element()
  const other = page.getByRole('link', { name: 'Page 2' }).element()
  await page.getByRole('button', { name: 'Columns' }).click()
  const density = page.getByRole('group', { name: 'Height of rows' })
  await expect.element(density).toBeVisible()
  const pressed = density.getByRole('button', { pressed: true }).element()
  const released = density.getByRole('button', { pressed: false }).element()
  await forceColors()
  // One of them may have the focus, and a double outline.
  if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  const styleOf = (element: Element) => getComputedStyle(element).outlineStyle
  expect([main, current, other, pressed, released].map(styleOf)).toEqual([
    'solid',
    'solid',
    'none',
    'solid',
    'none',
  ])
})

test('in forced-colors mode, the mark of a ticked checkbox is visible', async () => {
  const box = page.getByRole('checkbox', { name: 'Select Person 1', exact: true })
  await box.click()
  await expect.element(box).toBeChecked()
  await forceColors()
  const mark = box.element().parentElement?.querySelector('.peer-checked\\:block') as Element
  expect(getComputedStyle(mark).display).toBe('block')
  expect(getComputedStyle(mark).color).not.toBe(getComputedStyle(box.element()).backgroundColor)
})

test('in forced-colors mode, the edges that resize columns are as invisible as in other colours', async () => {
  const edge = document.querySelector('th .border-transparent') as HTMLElement
  const canvas = document.createElement('div')
  canvas.style.backgroundColor = 'Canvas'
  document.body.append(canvas)
  await forceColors()
  expect(getComputedStyle(edge).borderRightColor).toBe(getComputedStyle(canvas).backgroundColor)
})
