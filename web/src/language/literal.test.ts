import { i18n as global } from '@lingui/core'
import { plural, t } from '@lingui/core/macro'
import { expect, test } from 'vitest'
import { i18n } from '~/language'

const odd = ['\\x41da', 'Ada \\u0041', '\\', '\\\\x41', '\\x5c', 'C:\\x86\\u00e5', '\\x5cx41', 'Ada {name} #']

test('a name that looks like an escape sequence is unchanged', () => {
  expect(i18n).toBe(global)
  for (const name of odd) {
    expect(t`Show ${name}`).toBe(`Show ${name}`)
    expect(t`${name}x41, ${name}`).toBe(`${name}x41, ${name}`)
    expect(plural(2, { one: `# of ${name}`, other: `# of them in ${name}` })).toBe(`2 of them in ${name}`)
  }
})
