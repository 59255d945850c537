import { setupI18n } from '@lingui/core'
import { beforeAll, expect, test } from 'vitest'
import { type Core, core as english, loadCore } from '~/core'
import { messages as known } from '../locales/sv/core.po'
import { messages, translateCore, translator } from './swedish'

const said = translator(setupI18n({ locale: 'sv', locales: 'sv-SE', messages: { sv: messages } }))
let core: Core

beforeAll(async () => {
  await loadCore()
  core = translateCore(english, said)
})

/** Returns whether this is an English message of core that has a different translation. */
const isEnglish = (text: string) => Object.hasOwn(known, text) && said(text) !== text

/** Returns all strings in a value, at any depth. */
const textsIn = (thing: unknown): string[] =>
  typeof thing === 'string'
    ? [thing]
    : typeof thing === 'object' && thing !== null
      ? Object.values(thing).flatMap(textsIn)
      : []

const long = 'x'.repeat(5_000)
const fields = [
  'name first_name last_name email phone mobile website address password newPassword confirmPassword currentPassword',
  'otp deviceId comment reason color scope description title type status customer startDate endDate projectPrice',
  'telephone postalCode location socialSecurityNumber organizationNumber agreementType latestPurchase organization_number',
  'corp_name street_address registered_city postal_code city company_email company_phone typeAdv statusAdv fromDate toDate',
]
  .join(' ')
  .split(' ')
const filledWith = (text: string) => Object.fromEntries(fields.map(field => [field, text]))
/** Forms that break every rule: empty, too short, too long, with invalid characters. */
const forms = [{}, filledWith('1'), filledWith('å@'), filledWith('<b>'), filledWith(long)]

const checks = () =>
  (Object.keys(english) as (keyof Core)[]).filter(
    name => /^check[A-Z]/.test(name) && !['checkImage', 'checkMapping'].includes(name),
  )

/** Returns the messages of a validation; none if the form has the wrong shape. */
function messagesOf(rules: Core, name: keyof Core, form: object): string[] {
  try {
    return (rules[name] as (form: object) => { message: string }[])(form).map(({ message }) => message)
  } catch {
    return []
  }
}

test('validation errors are in Swedish', () => {
  const cases = checks().flatMap(name => forms.map(form => [name, form] as const))
  const before = cases.flatMap(([name, form]) => messagesOf(english, name, form))
  const after = cases.flatMap(([name, form]) => messagesOf(core, name, form))
  // Many messages, so that hardly a rule was missed, and all in English.
  expect(new Set(before).size).toBeGreaterThan(50)
  expect(before.filter(sentence => said(sentence) === sentence)).toEqual([])
  expect(after).toEqual(before.map(said))
})

test('texts of screens are in Swedish', () => {
  const texts = textsIn(core.texts())
  expect(texts).toHaveLength(textsIn(english.texts()).length)
  expect(texts.filter(isEnglish)).toEqual([])
})

test('labels of menus and choices are in Swedish, their values unchanged', () => {
  const resource = {
    resource_id: 'contacts',
    title: 'Contacts',
    route: '/dashboard/contacts',
    icon: 'contact',
    position: 1,
    has_subresources: false,
    subresources: [],
    permissions: { can_read: true },
    allowed: true,
  }
  expect(core.navigation([resource]).main).toEqual([
    { resource_id: 'contacts', title: 'Kontakter', route: resource.route, icon: 'contact', subresources: [] },
  ])
  expect(core.themeColors()[0]).toEqual({ ...english.themeColors()[0], name: 'Blå' })
  expect(core.modelColumns().map(({ label }) => label)).toContain('Övriga uppgifter')
  expect(core.modelColumns().map(({ value }) => value)).toEqual(
    english.modelColumns().map(({ value }) => value),
  )
  expect(core.customerTypes()).toEqual(english.customerTypes())
})

test('the error for an invalid picture is in Swedish', () => {
  expect(core.checkImage('logo', 3, new Uint8Array([1, 2, 3]))).toBe(
    'Ladda upp en giltig bildfil (PNG, JPG eller SVG)',
  )
})
