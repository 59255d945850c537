import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { agreement, openAgreements } from '~/test/agreements'
import { serveContactCount } from '~/test/contacts'
import { network } from '~/test/network'
import { open, signInUser } from '~/test/open'

const addressWith = (list: string, ...filter: unknown[]) =>
  `/dashboard/${list}?${new URLSearchParams({ filter: JSON.stringify(filter) })}`
/** Returns the filter of the latest request for a list. */
const sentFilter = (list: string) =>
  JSON.parse(network.requests(`/api/${list}`).at(-1)?.query.get('filter') ?? '[]')
const apply = () => page.getByRole('button', { name: 'Apply' }).click()
const group = (name: string) => page.getByRole('group', { name, exact: true })
const choiceIn = (name: string) => group(name).getByRole('combobox', { name: 'Date or period' })
const days = page.getByRole('textbox', { name: 'Days' })

/** Opens the form of a new condition on a field of the list that is shown. */
async function addCondition(field: string) {
  await page.getByRole('button', { name: 'Add filter' }).click()
  await page.getByRole('list', { name: 'Fields' }).getByRole('button', { name: field, exact: true }).click()
}

async function choose(name: string, choice: string) {
  await choiceIn(name).click()
  await page.getByRole('option', { name: choice, exact: true }).click()
  await expect.poll(() => page.getByRole('option').elements()).toHaveLength(0)
}

test.each([
  ['is', 'month', 'is this month'],
  ['is', 'today-1', 'is yesterday'],
  ['lt', 'today-60', 'is before 60 days ago'],
  ['gte', 'month-1', 'is from last month'],
  ['in', ['year', 'year-1'], 'is any of this year, last year'],
  ['between', ['today-30', 'today+14'], 'is between 30 days ago and 14 days from now'],
  ['lt', 'month-00002', 'is before 2 months ago'],
  ['is_not', 'year+2', 'is not 2 years from now'],
  ['is', 'month+10000', 'is month+10000'],
])('a filter with "%s" "%s" says "%s"', async (op, value, words) => {
  const condition = { field: 'agreed_on', op, value }
  openAgreements([agreement(1)], { address: addressWith('agreements', condition) })
  await expect.element(page.getByRole('button', { name: `Agreed on ${words}` })).toBeVisible()
  expect(sentFilter('agreements')).toEqual([condition])
})

test('each request of the user names the time zone of the browser', async () => {
  signInUser()
  serveContactCount(1)
  open(addressWith('contacts', { field: 'createdAt', op: 'is', value: 'today' }))
  await expect.element(page.getByRole('button', { name: 'Created is today' })).toBeVisible()
  expect(network.requests('/api/contacts')[0]?.timeZone).toBe(
    Intl.DateTimeFormat().resolvedOptions().timeZone,
  )
})

test('a range is counted from today, chosen by keyboard', async () => {
  openAgreements([agreement(1)])
  await addCondition('Agreed on')
  await expect.element(page.getByLabelText('From', { exact: true })).toHaveFocus()
  await choiceIn('From').click()
  await expect.element(page.getByRole('option', { name: 'Exact date' })).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}')
  await expect.element(page.getByRole('option', { name: 'Days ago' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => page.getByRole('option').elements()).toHaveLength(0)
  await expect.element(days).toHaveFocus()
  await expect.element(days).toHaveValue('30')
  await userEvent.keyboard('90')
  await expect.element(days).toHaveValue('90')
  await choose('To', 'Today')
  await apply()
  await expect
    .element(page.getByRole('button', { name: 'Agreed on is between 90 days ago and today' }))
    .toBeVisible()
  expect(sentFilter('agreements')).toEqual([
    { field: 'agreed_on', op: 'between', value: ['today-90', 'today'] },
  ])
})

test('a range with only a relative start has no end', async () => {
  openAgreements([agreement(1)])
  await addCondition('Agreed on')
  await choose('From', 'Last month')
  await apply()
  await expect.element(page.getByRole('button', { name: 'Agreed on is from last month' })).toBeVisible()
})

test('an invalid number of days shows its error at its input and sends no request', async () => {
  signInUser()
  serveContactCount(1)
  open('/dashboard/contacts')
  await addCondition('Created')
  await choose('From', 'Today')
  await choose('To', 'Days from now')
  await expect.element(days).toHaveValue('14')
  for (const text of ['', 'two', '10000', '-1']) {
    await days.fill(text)
    await apply()
    await expect.element(days).toHaveAccessibleDescription('Enter a whole number up to 9,999.')
    await expect.element(days).toHaveFocus()
  }
  expect(network.requests('/api/contacts')).toHaveLength(1)
  await days.fill(' 7 ')
  await apply()
  await expect
    .element(page.getByRole('button', { name: 'Created is between today and 7 days from now' }))
    .toBeVisible()
})

test('an error of a range disappears when another end is chosen', async () => {
  openAgreements([agreement(1)])
  await addCondition('Agreed on')
  await choose('From', 'This month')
  await choose('To', 'Last month')
  await apply()
  const error = page.getByRole('alert')
  await expect.element(error).toHaveTextContent('Enter two dates, the earlier one first.')
  await choose('To', 'Today')
  await expect.element(error).not.toBeInTheDocument()
})

test('a date and a number of days keep their values while something else is chosen', async () => {
  openAgreements([agreement(1)])
  await addCondition('Agreed on')
  const from = page.getByLabelText('From', { exact: true })
  await from.fill('2026-01-31')
  await choose('From', 'Today')
  await choose('From', 'Days ago')
  await days.fill('90')
  await choose('From', 'Exact date')
  await expect.element(from).toHaveValue('2026-01-31')
  await choose('From', 'Days ago')
  await expect.element(days).toHaveValue('90')
})

test('the form of a filter has its relative dates, also those that it does not offer', async () => {
  const condition = { field: 'agreed_on', op: 'between', value: ['today-60', 'month+1'] }
  openAgreements([agreement(1)], { address: addressWith('agreements', condition) })
  await page.getByRole('button', { name: 'Agreed on is between 60 days ago and next month' }).click()
  await expect.element(choiceIn('From')).toHaveTextContent('Days ago')
  await expect.element(days).toHaveValue('60')
  await expect.element(choiceIn('To')).toHaveTextContent('next month')
  await choose('From', 'Exact date')
  const from = page.getByLabelText('From', { exact: true })
  await expect.element(from).toHaveFocus()
  await from.fill('2026-01-31')
  await apply()
  await expect
    .poll(() => sentFilter('agreements'))
    .toEqual([{ ...condition, value: ['2026-01-31', 'month+1'] }])
})

test.each([1440, 360])('at %i px, the inputs of a range of times do not overlap', async width => {
  onTestFinished(() => page.viewport(1280, 800))
  await page.viewport(width, 900)
  signInUser()
  serveContactCount(1)
  open('/dashboard/contacts')
  if (width < 1024) await page.getByRole('button', { name: 'Filter and sort' }).click()
  await addCondition('Created')
  await expect.element(group('To')).toBeVisible()
  const inputs = ['From', 'To'].flatMap(name => [
    page.getByLabelText(name, { exact: true }).element(),
    choiceIn(name).element(),
  ])
  const boxes = inputs.map(input => input.getBoundingClientRect())
  const isApart = (a: DOMRect, b: DOMRect) =>
    a.right <= b.left || b.right <= a.left || a.bottom <= b.top || b.bottom <= a.top
  for (const [index, box] of boxes.entries())
    expect(boxes.slice(index + 1).every(other => isApart(box, other))).toBe(true)
  const dialog = group('To').element().closest('[role="dialog"]')
  expect(dialog?.scrollWidth).toBe(dialog?.clientWidth)
})
