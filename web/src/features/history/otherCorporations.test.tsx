import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { signInPlatformAdministrator } from '~/test/corporations'
import { change, entry, serveHistory } from '~/test/history'
import { moduleResource, open, servePermissions, textsOf } from '~/test/open'
import { allPermissions } from '~/test/rights'

const list = page.getByRole('region', { name: 'Entries' })
const items = list.getByRole('listitem')
const sentences = () => items.elements().map(item => item.querySelector('p')?.textContent)

test("the platform's history says what its administrators did to users of other corporations", async () => {
  signInPlatformAdministrator()
  servePermissions(
    moduleResource('history', 'History', allPermissions),
    moduleResource('corporations', 'Corporations', allPermissions),
  )
  const kestrel = { resource: 'corporations', label: 'Kestrel Cars Ltd', undo: undefined }
  serveHistory([
    entry(3, {
      ...kestrel,
      changes: [change('user', 'Bo Ek', 'Bo Ek'), change('user.banned', false, true), change('user.email')],
    }),
    entry(2, { ...kestrel, changes: [change('user', undefined, 'Bo Ek')] }),
    entry(1, { ...kestrel, changes: [change('corp_active', true, false)] }),
  ])
  open('/dashboard/history')
  await expect
    .poll(sentences)
    .toEqual([
      'Ada Lindqvist changed a user of Kestrel Cars Ltd',
      'Ada Lindqvist created a user of Kestrel Cars Ltd',
      'Ada Lindqvist deactivated Kestrel Cars Ltd',
    ])
  expect(textsOf(list.getByRole('term')).slice(0, 4)).toEqual(['User', 'Banned', 'Email', 'User'])
  expect(textsOf(list.getByRole('definition')).slice(0, 4)).toEqual([
    'Bo Ek',
    'Before: NoAfter: Yes',
    'The value is not recorded',
    'emptyAfter: Bo Ek',
  ])
})
