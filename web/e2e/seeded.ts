import {
  type ApiResponse,
  AttackedServer,
  admin,
  type Json,
  PLATFORM,
  runInParallel,
  type Tokens,
} from './attackedServer'
import { kinds } from './kinds'
import { joinPayloads, payloads } from './payloads'
import { poll } from './poll'

/** The administrator of the corporation whose records the tests open. */
export const ADMIN = admin(9_999)

/**
 * A server whose records contain the payloads, because every text field has received every payload, with sessions of
 * its users.
 */
export type Seeded = {
  server: AttackedServer
  platform: Tokens
  admin: Tokens
  /** The id of the administrator's corporation. */
  corporation: string
  /** The email addresses of banned users. */
  banned: string[]
}

const firm = (place: number) => ({
  organization_number: `HRB ${place}`,
  street_address: 'Osterdeich 88',
  registered_city: 'Bremen',
  postal_code: '28205',
  city: 'Bremen',
  company_email: 'office@bil.example',
  company_phone: '+49 421 555 0140',
})

const customer = (place: number) => ({
  name: 'Ada',
  email: 'ada@bil.example',
  telephone: '0701234567',
  address: 'Storgatan 1',
  type: ['Private', 'Business'][place % 2],
  socialSecurityNumber: '19900101-0017',
  organizationNumber: '556036-0793',
  status: 'Active',
  agreementType: '',
  latestPurchase: '',
})

const view = (place: number) => ({
  resource: kinds[place % kinds.length],
  name: 'x',
  query: { search: 'x', sort: '', filter: [] },
  columns: [],
  density: 'comfortable',
  scope: 'mine',
  is_default: false,
})

const invoice = () => ({
  customer: 'Ada',
  website: 'bil.example',
  email: 'ada@bil.example',
  startDate: '2026-01-31',
  endDate: '2026-03-01',
  projectPrice: '100',
})

const vehicle = (place: number) => ({
  registration_number: `A${place}`,
  make: 'Volvo',
  model: 'V60',
  asking_price: '18995',
})

/** Forms that contain what the rules require. Those of other kinds of records can be empty. */
const forms: Record<string, (place: number) => Json> = {
  customers: customer,
  invoices: invoice,
  vehicles: vehicle,
}

/** Returns agreements of these customers and vehicles. */
const agreement = (customers: ApiResponse[], vehicles: ApiResponse[]) => (place: number) => {
  const one = (all: ApiResponse[], name: string) => {
    const response = all[place % all.length]
    return response && idOf(response, name)
  }
  return {
    customer_id: one(customers, 'customer_id'),
    legs: [{ vehicle_id: one(vehicles, 'vehicle_id'), price: '18995' }],
    warranty: {},
  }
}

const idOf = ({ body }: ApiResponse, name = '_id') => String((body.data as Json)[name])

export async function seed(): Promise<Seeded> {
  const server = await AttackedServer.start()
  return fill(server).catch(error => {
    server.stop()
    throw error
  })
}

async function fill(server: AttackedServer): Promise<Seeded> {
  const platform = await server.signIn(PLATFORM, payloads[0])
  const home = await server.requestOk(
    'POST',
    '/api/corporations/organizations/register',
    {
      ...firm(9_999),
      corp_name: payloads[7],
      admin_data: ADMIN,
      allowed_resources: await listModuleIds(server, platform),
    },
    platform,
  )
  const corporation = String((home.data as Json).corp_id ?? (home.data as Json)._id)
  const tokens = await server.signIn(ADMIN.email, payloads[1])
  const others = [
    () => seedCorporations(server, platform),
    () => seedContacts(server, tokens),
    async () => {
      const made: Record<string, ApiResponse[]> = {}
      for (const kind of kinds.filter(kind => kind !== 'contacts' && kind !== 'agreements'))
        made[kind] = await server.attack(`post /api/${kind}`, forms[kind] ?? (() => ({})), [], tokens)
      const linked = agreement(made.customers ?? [], made.vehicles ?? [])
      const noTexts = ['type', 'state', 'customer_id', 'contact_id', 'legs', 'warranty.kind']
      const dates = ['exclusive_until', 'agreed_on', 'delivered_on']
      await server.attack('post /api/agreements', linked, [...noTexts, ...dates], tokens)
    },
    () => server.attack('post /api/views', view, ['resource', 'query.sort', 'density', 'scope'], tokens),
    () => seedImports(server, tokens),
  ]
  const banned = await seedUsers(server, tokens, platform)
  for (const other of others) await other()
  return { server, platform, admin: tokens, corporation, banned }
}

async function listModuleIds(server: AttackedServer, platform: Tokens): Promise<string[]> {
  const { data } = await server.requestOk('GET', '/api/corporations/resources', undefined, platform)
  return (data as Json[]).map(resource => String(resource.resource_id ?? resource._id))
}

/** Registers corporations with payloads: as a platform administrator, and through sign-ups. */
async function seedCorporations(server: AttackedServer, platform: Tokens) {
  const call = 'post /api/corporations/organizations/register'
  const kept = ['admin_data.password', 'legalId']
  await server.attack(call, place => ({ ...firm(place), admin_data: admin(place) }), kept, platform)
  const applicants = joinPayloads(200).map((corp_name, shift) => () => {
    const { phone, ...person } = admin(shift + 1_000)
    return server.requestOk('POST', '/api/auth/signup', {
      ...firm(shift + 1_000),
      ...person,
      mobile: phone,
      corp_name,
    })
  })
  await runInParallel(applicants)
  // Opens the mailed links, because the platform administrators are notified of a sign-up only after that.
  const tokens = await poll('the links of all who signed up', () => {
    const mails = server.mails().map(mail => mail.replace(/=\r?\n/g, '').replaceAll('=3D', '='))
    const found = mails.flatMap(mail => /\/verify-email\?token=([\w-]+)/.exec(mail)?.[1] ?? [])
    return found.length >= applicants.length ? found : undefined
  })
  await runInParallel(
    tokens.map(token => () => server.requestOk('POST', '/api/auth/verify-email', { token })),
  )
}

/**
 * Creates a contact for each payload. The first contact also has other details, with every payload as a name and as a
 * value, and a comment for each payload.
 */
async function seedContacts(server: AttackedServer, tokens: Tokens) {
  const details = Object.fromEntries(payloads.map((name, place) => [name, payloads.at(-place) ?? '']))
  const base = (place: number) => ({ name: 'Ada', ...(place === 0 && { otherDetails: details }) })
  const [first] = await server.attack('post /api/contacts', base, [], tokens)
  if (!first) return
  const id = idOf(first)
  await server.attack('post /api/contacts/{id}/comments', () => ({ id, comment: 'x' }), [], tokens)
}

/** Creates roles and users with payloads, and bans the users. Returns the users' e-mail addresses. */
async function seedUsers(server: AttackedServer, tokens: Tokens, platform: Tokens): Promise<string[]> {
  const roles = await server.attack(
    'post /api/rbac/roles',
    () => ({ name: 'x', description: 'x' }),
    [],
    tokens,
  )
  const person = (place: number) => {
    const { phone, ...others } = admin(place + 2_000)
    const role = roles[place % roles.length]
    return { ...others, mobile: phone, role_id: role && idOf(role, 'role_id'), user_type: 'User' }
  }
  const made = await server.attack('post /api/users', person, ['password', 'role_id'], tokens)
  const ban = (place: number) => {
    const user = made[place]
    return { id: user && idOf(user, 'user_id'), reason: 'x' }
  }
  await server.attack('post /api/corporations/users/{id}/ban', ban, [], platform)
  return made.map(({ body }) => String((body.data as Json).email))
}

const FIELDS = ['name', 'email', 'phone', 'website', 'address']

/**
 * Imports files in which every payload occurs as the file's name, as a column's header, and in every column. Rows with
 * an invalid e-mail are reported as failed.
 */
async function seedImports(server: AttackedServer, tokens: Tokens) {
  const quoteAll = (texts: string[]) => texts.map(text => `"${text.replaceAll('"', '""')}"`).join(',')
  const submit = async (name: string, lines: string[][]) => {
    const form = new FormData()
    form.set('file', new File([lines.map(quoteAll).join('\r\n')], name, { type: 'text/csv' }))
    form.set('options', JSON.stringify({ header: 1 }))
    const { fileColumns } = await server.requestOk('POST', '/api/contacts/import/preview', form, tokens)
    const mapping = (fileColumns as string[]).map(fileColumn => ({
      fileColumn,
      modelColumn: FIELDS.includes(fileColumn) ? fileColumn : 'otherDetails',
    }))
    form.set('columnMapping', JSON.stringify(mapping))
    const { sessionId } = await server.requestOk('POST', '/api/contacts/import/submit', form, tokens)
    return String(sessionId)
  }
  const row = (place: number) => FIELDS.map((_, shift) => payloads[(place + shift) % payloads.length] ?? '')
  const valid: Record<string, string> = { email: 'ada@bil.example', website: 'bil.example' }
  const good = (place: number) => row(place).map((text, column) => valid[FIELDS[column] ?? ''] ?? text)
  const cells = payloads.map((_, place) => (place % 2 ? row(place) : good(place)))
  const sessions = [
    await submit('cells.csv', [FIELDS, ...cells]),
    await submit('headers.csv', [
      ['name', ...payloads],
      ['Ada', ...payloads],
    ]),
  ]
  // The payloads are joined, because a user may upload only sixty files in ten minutes, of which previews count, too.
  const names = joinPayloads(200).map((name, shift) => async () => {
    // Removes control characters, because the server rejects a form with such a file name.
    const file = name.replace(/\p{Cc}/gu, '')
    sessions.push(
      await submit(`${file}.csv`, [
        ['name', 'email'],
        [`Ada ${shift}`, 'no address'],
      ]),
    )
  })
  await runInParallel(names)
  for (const session of sessions) await waitForImport(server, session, tokens)
}

const waitForImport = (server: AttackedServer, session: string, tokens: Tokens) =>
  poll('the import is over', async () => {
    const reply = await server.requestOk('GET', `/api/contacts/import/status/${session}`, undefined, tokens)
    return ['completed', 'failed'].includes(String((reply.session as Json).status)) || undefined
  })
