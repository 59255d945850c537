import PostalMime from 'postal-mime'
import { type Json, PASSWORD, type Tokens, textFields } from './attackedServer'
import {
  checkRowsAndDialogs,
  expectHarmlessTexts,
  expectNoPayloadElements,
  findPayloadElements,
  navigateInApp,
  recordEffects,
  test,
} from './effects'
import { kinds } from './kinds'
import { joinPayloads, payloads } from './payloads'
import { ADMIN, type Seeded } from './seeded'
import { expect } from './test'

// Every text field of the server's records contains scripts and markup (payloads). The screens show them as text: none
// of them runs or creates an element.
// All in one worker, because these tests share one attacked server.
test.describe.configure({ mode: 'default' })

type Listed = { path: string; pageSize: number }

/** The fields that a list shows; by default the name. */
const SHOWN: Record<string, string[]> = {
  contacts: ['name', 'email', 'phone'],
  customers: ['name', 'email'],
  invoices: ['customer'],
  agreements: ['number', 'customer_name', 'vehicles'],
  users: ['email'],
  'contacts/imports': ['fileName'],
}
const LISTS: Listed[] = [
  ...[...kinds, 'users'].map(path => ({ path, pageSize: path === 'contacts' ? 10 : 15 })),
  { path: 'contacts/imports', pageSize: 20 },
]

async function records(
  { server }: Seeded,
  tokens: Tokens,
  { path, pageSize }: Listed,
  page: number,
): Promise<Json[]> {
  const reply = await server.requestOk(
    'GET',
    `/api/${path}?page=${page}&limit=${pageSize}`,
    undefined,
    tokens,
  )
  const found = [reply, reply.data as Json].flatMap(part =>
    Array.isArray(part) ? [part] : Object.values(part ?? {}),
  )
  return (found.find(Array.isArray) ?? []) as Json[]
}

test('detects a page that interprets payloads', async ({ browser, seeded }) => {
  const context = await browser.newContext()
  const at = seeded.server.at
  const effects = await recordEffects(context, at)
  const page = await context.newPage()
  for (const policy of [undefined, "script-src 'none'"]) {
    await page.route('**/unsafe', route =>
      route.fulfill({
        contentType: 'text/html',
        headers: policy ? { 'content-security-policy': policy } : {},
        // The payload that redirects the page is left out, because it would end this check.
        body: `<!doctype html><p>${payloads.filter(text => !text.includes('refresh')).join('</p><p>')}</p>`,
      }),
    )
    await page.goto(`${at}/unsafe`)
    expect((await findPayloadElements(page)).length).toBeGreaterThan(5)
    await expect
      .poll(() => effects.filter(effect => effect.startsWith(policy ? 'breached' : 'ran')))
      .not.toEqual([])
    await page.unroute('**/unsafe')
  }
  expect(effects.filter(effect => effect.includes('elsewhere.example'))).not.toEqual([])
  await context.close()
})

/** Text fields that needn't receive payloads: secrets, ids, files, choices, and fields that no screen shows. */
const OTHERS = `
  password confirmPassword currentPassword newPassword otp token accessToken refreshToken _id corp_id
  role_id resource_id batch_id on_conflict route deviceId legalId id file logo profileImage
  columnMapping corrections options verdict action density resource sort typeAdv statusAdv fromDate
  toDate importBatchId deviceName message phoneNumber color expected scope theme language customer_id
  keep photo order country currency vat_rate type kind state contact_id vehicle_id direction
  exclusive_until agreed_on delivered_on upload_id
`
  .trim()
  .split(/\s+/)

test('every text field of the API was sent every payload', ({ seeded }) => {
  const { fields, counts, document } = seeded.server
  test.info().annotations.push({ type: 'payloads', description: JSON.stringify(counts) })
  expect(new Set(payloads).size).toBeGreaterThanOrEqual(60)
  expect(counts.accepted).toBeGreaterThan(counts.rejected)
  const sent = new Set([...fields].map(field => field.replace(/.*[ .]/, '')))
  const calls = Object.values(document.paths).flatMap(path => Object.values(path))
  const forms = calls.flatMap(call => Object.values(call.requestBody?.content ?? {}))
  const names = forms.flatMap(({ schema }) => textFields(schema)).map(([name]) => name.replace(/.*\./, ''))
  expect([...new Set(names)].filter(name => !sent.has(name) && !OTHERS.includes(name))).toEqual([])
})

test.describe('an administrator', () => {
  test.use({ who: 'admin' })

  test('shows payloads as text in the lists of records, users, roles and imports, and in searches', async ({
    page,
    seeded,
  }) => {
    await page.goto('/dashboard')
    await expectNoPayloadElements(page)
    for (const list of LISTS) {
      for (let number = 1; ; number++) {
        const found = await records(seeded, seeded.admin, list, number)
        if (found.length === 0 && number > 1) break
        await navigateInApp(page, `/dashboard/${list.path}?page=${number}`)
        const texts = found.flatMap(record =>
          (SHOWN[list.path] ?? ['name']).map(field => String(record[field] ?? '')),
        )
        // Fails for a list without records, and for a new list whose records have no name, unless `SHOWN` has it.
        expect(texts.filter(Boolean), `texts in the list of ${list.path}`).not.toEqual([])
        await expectHarmlessTexts(page, texts)
      }
    }
    // Compares with the stored texts, from which the server has removed control characters.
    const roles = await records(seeded, seeded.admin, { path: 'rbac/roles', pageSize: 100 }, 1)
    expect(roles.length).toBeGreaterThan(payloads.length / 2)
    await navigateInApp(page, '/dashboard/roles')
    const texts = roles.flatMap(({ name, description }) => [String(name), String(description)])
    await expectHarmlessTexts(page, texts)
    for (const path of ['subscriptions', 'admin']) {
      await navigateInApp(page, `/dashboard/${path}`)
      await expectNoPayloadElements(page)
    }
    // Only ten texts, because the server limits how often a user may change the account.
    for (const mobile of joinPayloads(48).slice(0, 10)) {
      const account = new FormData()
      const { first_name, last_name, email } = ADMIN
      const texts = Object.entries({ first_name, last_name, email, mobile })
      for (const [name, text] of texts) account.set(name, text)
      await seeded.server.requestOk('POST', '/api/auth/profile/update-profile', account, seeded.admin)
      // Leaves the page, because an open form would keep its old values.
      await navigateInApp(page, '/dashboard/subscriptions')
      await expectHarmlessTexts(page, ['Subscriptions'])
      await navigateInApp(page, '/dashboard/profile')
      const saved = await seeded.server.requestOk('GET', '/api/auth/profile/detail', undefined, seeded.admin)
      await expectHarmlessTexts(page, [String((saved.data as Json).mobile)])
    }
    for (const path of [...kinds, 'users', 'roles']) {
      for (const search of joinPayloads(100).slice(0, path === 'contacts' ? undefined : 3)) {
        await navigateInApp(page, `/dashboard/${path}?${new URLSearchParams({ search })}`)
        await expectHarmlessTexts(page, [search])
      }
    }
  })

  test('shows the payloads of contacts and invoices as text, and in print they create no element', async ({
    page,
    seeded,
  }) => {
    test.setTimeout(240_000)
    await page.goto('/dashboard/contacts')
    const kinds: [string, (record: Json) => unknown[]][] = [
      [
        'contacts',
        ({ name, email, phone, website, address, comments, otherDetails }) => [
          ...[name, email, phone, website, address],
          ...(comments as Json[]).map(({ comment }) => comment),
          ...Object.entries(otherDetails as Json).flat(),
        ],
      ],
      [
        'invoices',
        ({ customer, website, email, customerRequirements }) => [
          customer,
          website,
          email,
          customerRequirements,
        ],
      ],
    ]
    for (const [kind, texts] of kinds) {
      for (const { _id } of await records(
        seeded,
        seeded.admin,
        { path: kind, pageSize: payloads.length },
        1,
      )) {
        const { data } = await seeded.server.requestOk('GET', `/api/${kind}/${_id}`, undefined, seeded.admin)
        await navigateInApp(page, `/dashboard/${kind}/${_id}`)
        const shown = texts(data as Json).map(String)
        await expectHarmlessTexts(page, shown)
        const [word = ''] = (shown[0] ?? '').trim().split(/\s/)
        if (kind === 'contacts') await expect.poll(() => page.title()).toContain(word)
      }
    }
    await page.emulateMedia({ media: 'print' })
    await expectNoPayloadElements(page)
  })

  test('shows the payloads of customers as text on their pages', async ({ page, seeded }) => {
    await page.goto('/dashboard/customers')
    const list = { path: 'customers', pageSize: 30 }
    for (const { customer_id, name, email, address, location } of await records(
      seeded,
      seeded.admin,
      list,
      1,
    )) {
      await navigateInApp(page, `/dashboard/customers/${customer_id}`)
      await expectHarmlessTexts(page, [name, email, address, location].map(String).filter(Boolean))
    }
  })

  test('payloads create no element in the rows and dialogs of the lists', async ({ page }) => {
    for (const path of [...kinds, 'users', 'roles']) {
      await page.goto(`/dashboard/${path}`)
      await checkRowsAndDialogs(
        page,
        page.getByRole('main').getByRole(path === 'roles' ? 'listitem' : 'row'),
        3,
      )
    }
  })

  test('shows payloads in the palette and in an import as text', async ({ page }) => {
    await page.goto('/dashboard/contacts/imports/new')
    for (const name of joinPayloads(200).slice(0, 4)) {
      const rows = [
        ['name', ...payloads.slice(0, 40)],
        ...payloads.map(cell => payloads.slice(0, 41).map(() => cell)),
      ]
      const lines = rows.map(row => row.map(text => `"${text.replaceAll('"', '""')}"`).join(','))
      await page.goto('/dashboard/contacts/imports/new')
      await page
        .getByLabel('Contacts file')
        .setInputFiles({ name: `${name}.csv`, mimeType: 'text/csv', buffer: Buffer.from(lines.join('\r\n')) })
      await expectHarmlessTexts(page, [`${name}.csv`, ...payloads.slice(0, 3)])
      await page.getByRole('button', { name: 'Next' }).click()
      await expect(page.getByRole('heading', { name: 'Map Columns' })).toBeVisible()
      await expectHarmlessTexts(page, payloads.slice(0, 3))
    }
    await page.goto('/dashboard')
    await page.getByRole('button', { name: 'Find anything' }).click()
    for (const search of joinPayloads(100).slice(0, 8)) {
      await page.getByRole('combobox').fill(search)
      await expectHarmlessTexts(page, [search])
    }
    await page.getByRole('combobox').fill('ran()')
    await expect(page.getByRole('option', { name: /ran\(\)/ }).nth(5)).toBeVisible()
    await expectNoPayloadElements(page)
  })

  test('payloads in the address of a page are not interpreted, and next leads only into the app', async ({
    page,
  }) => {
    await page.goto('/dashboard')
    // Without payloads with a line break, because the router doesn't match such URLs.
    const addresses = payloads.filter(payload => !payload.includes('\n'))
    for (const payload of addresses) {
      await navigateInApp(page, `/dashboard/${encodeURIComponent(payload)}`)
      await expectNoPayloadElements(page)
    }
    for (const payload of addresses.slice(0, 10)) {
      await navigateInApp(page, `/${encodeURIComponent(payload)}`)
      await expect(page).toHaveURL(/dashboard/)
      await expectNoPayloadElements(page)
    }
    // A signed-in user is redirected to `next` only if that is a page of the app.
    for (const payload of payloads.filter(text => /script:|^\/\/|^data:|^https:/.test(text))) {
      await navigateInApp(page, `/login?${new URLSearchParams({ next: payload })}`)
      await expect(page).toHaveURL(/\/dashboard(?:\/admin)?$/)
    }
  })
})

test.describe('a platform administrator', () => {
  test.use({ who: 'platform' })

  test('shows payloads in corporations and users as text', async ({ page, seeded }) => {
    const list = { path: 'corporations', pageSize: 15 }
    await page.goto('/dashboard/corporations')
    for (let number = 1; ; number++) {
      const found = await records(seeded, seeded.platform, list, number)
      if (found.length === 0) break
      await navigateInApp(page, `/dashboard/corporations?page=${number}`)
      const names = found.map(({ corp_name }) => String(corp_name))
      await expectHarmlessTexts(page, names)
    }
    await checkRowsAndDialogs(page, page.getByRole('row'), 3)
    const users = { path: `corporations/${seeded.corporation}/users`, pageSize: 15 }
    await page.goto(`/dashboard/${users.path}`)
    await checkRowsAndDialogs(page, page.getByRole('row'), 5)
    for (let number = 1; ; number++) {
      const found = await records(seeded, seeded.platform, users, number)
      if (found.length === 0) break
      await navigateInApp(page, `/dashboard/${users.path}?page=${number}`)
      const emails = found.map(({ email }) => String(email))
      await expectHarmlessTexts(page, emails)
    }
    await page.goto(`/dashboard/corporations?${new URLSearchParams({ search: joinPayloads(100)[0] ?? '' })}`)
    await expectHarmlessTexts(page, [joinPayloads(100)[0] ?? ''])
  })
})

test.describe('before sign-in', () => {
  test.use({ expectedStatuses: [400, 401, 403] })

  test("a ban's reason is shown as text, and payloads in URLs create no element", async ({
    page,
    seeded,
  }) => {
    const { server, banned } = seeded
    await page.setExtraHTTPHeaders(server.newClientHeaders())
    for (const at of [0, 7, 24, 41]) {
      await page.goto('/login')
      await page.getByLabel('Email', { exact: true }).fill(banned[at] ?? '')
      await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await expect(page.getByRole('dialog', { name: 'Account Banned' })).toBeVisible()
      await expectHarmlessTexts(page, [payloads[at] ?? ''])
    }
    for (const text of joinPayloads(200).slice(0, 4)) {
      for (const address of [
        '/login?next=',
        '/reset-password?token=',
        '/verify-email?token=',
        '/auth/callback?accessToken=x&refreshToken=',
      ]) {
        await page.goto(address + encodeURIComponent(text))
        await expectNoPayloadElements(page)
      }
    }
    await page.goto(`/api/docs?q=${encodeURIComponent(payloads[0] ?? '')}#${payloads[5]}`)
    await expect(page.getByRole('heading').first()).toBeVisible()
    await expectNoPayloadElements(page)
  })
})

test('mails show payloads as text, even without a security policy', async ({ browser, seeded }) => {
  const context = await browser.newContext()
  const effects = await recordEffects(context, seeded.server.at)
  const page = await context.newPage()
  const names = joinPayloads(200)
  const mails = await Promise.all(seeded.server.mails().map(mail => PostalMime.parse(mail)))
  const texts: string[] = []
  for (const { html } of mails.filter(mail =>
    names.some(name => mail.text?.includes(name.split(/\s/)[0] ?? '')),
  )) {
    await page.setContent(html ?? '')
    await expectNoPayloadElements(page)
    texts.push((await page.locator('body').textContent()) ?? '')
  }
  // Compares without control characters and those that change the text direction, which aren't stored.
  const bare = (text: string) => text.replace(/[\s\p{Cc}\p{Cf}]/gu, '')
  for (const name of names) expect(texts.some(text => bare(text).includes(bare(name)))).toBe(true)
  expect(effects).toEqual([])
  await context.close()
})

test('rejects a logo with a script, or renders it without', async ({ page, seeded }) => {
  const { server, platform: tokens } = seeded
  const drawings = [
    ...payloads.filter(payload => payload.startsWith('<')),
    '<script>ran()</script><rect width="9" height="9"/>',
    '<rect width="9" height="9" onclick="ran()" onload="ran()"/>',
    '<image href="//elsewhere.example/x.png" width="9" height="9"/>',
    '<style>@import "//elsewhere.example/x.css"; rect { fill: url(//elsewhere.example/x#x) }</style><rect width="9" height="9"/>',
  ]
  let drawn = 0
  for (const drawing of drawings) {
    const form = new FormData()
    const namespaces = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"'
    const svg = `<svg ${namespaces} width="9" height="9" onload="ran()"><rect width="5" height="5"/>${drawing}</svg>`
    form.set('logo', new File([svg], 'logo.svg', { type: 'image/svg+xml' }))
    const { status, body } = await server.request('PUT', '/api/theme/logo', form, tokens)
    expect([200, 400]).toContain(status)
    if (status !== 200) continue
    drawn += 1
    const address = /\/api\/images\/[\w-]+/.exec(JSON.stringify(body))?.[0] ?? ''
    const response = await page.goto(address)
    expect(await response?.text()).not.toMatch(/script|ran\(\)|elsewhere|\son\w+=/)
  }
  expect(drawn).toBeGreaterThan(3)
})

test('the report of failed rows contains no formulas', async ({ seeded }) => {
  const { server, admin: tokens } = seeded
  const sent = await records(seeded, tokens, { path: 'contacts/imports', pageSize: 100 }, 1)
  const cells = sent.find(({ fileName }) => fileName === 'cells.csv')
  const { body } = await server.request(
    'GET',
    `/api/contacts/imports/${cells?.sessionId}/failed.csv`,
    undefined,
    tokens,
  )
  const fields = String(body.text).match(/(?<=^|,)(?:"(?:[^"]|"")*"|[^",\r\n]*)/gm) ?? []
  expect(fields.filter(field => field.includes('ran()')).length).toBeGreaterThan(60)
  expect(fields.filter(field => /^"?[=+@\-\t\r]/.test(field))).toEqual([])
})
