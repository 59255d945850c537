import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { program } from '../program'
import { payloads } from './payloads'
import { poll } from './poll'

export const PASSWORD = 'a-long-test-password'
export const PLATFORM = 'super@platform.example'

export type Json = Record<string, unknown>
export type ApiResponse = { status: number; body: Json }
/** The tokens of a session, as the browser stores them. */
export type Tokens = { accessToken: string; refreshToken: string }

/** The schema of a form field in the OpenAPI document. */
type Spec = { type?: string | string[]; maxLength?: number; properties?: Record<string, Spec>; items?: Spec }
type Document = {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Spec }> } }>>
}

/**
 * Returns the name and schema of each text field of a form's schema. Nested fields have dotted names:
 * `admin_data.email`.
 */
export function textFields(schema: Spec, before = ''): [name: string, field: Spec][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) =>
    field.properties
      ? textFields(field, `${before}${name}.`)
      : [field.type ?? []].flat().includes('string')
        ? [[before + name, field] as [string, Spec]]
        : [],
  )
}

function setField(form: Json, name: string, value: unknown) {
  const [first = '', rest] = name.split(/\.(.*)/)
  if (rest === undefined) form[first] = value
  else setField(form[first] as Json, rest, value)
}

function getField(form: Json, name: string): unknown {
  const [first = '', rest] = name.split(/\.(.*)/)
  return rest === undefined ? form[first] : getField(form[first] as Json, rest)
}

/** Returns variants of a payload for a field that rejects it: shortened, only its letters, and as an e-mail address. */
function acceptedVariants(payload: string, { maxLength = 10_000 }: Spec, place: number): string[] {
  const letters = payload.replace(/[^\p{L} '-]/gu, '')
  return [
    Array.from(payload).slice(0, maxLength).join(''),
    letters.slice(0, Math.min(maxLength, 50)),
    `${payload.replace(/[^a-z0-9%+-]/gi, '').slice(0, 40)}${place}@bil.example`,
  ]
}

/** A server process for these tests alone, to which payloads are sent. Other tests don't see its records. */
export class AttackedServer {
  readonly at: string
  readonly folder = mkdtempSync(join(tmpdir(), 'forecourt-scripts-'))
  /** How often a field accepted a payload, and how often a field rejected one. */
  readonly counts = { accepted: 0, rejected: 0 }
  /** The fields to which payloads were sent, each with its request, such as `post /api/contacts name`. */
  readonly fields = new Set<string>()
  document: Document = { paths: {} }
  readonly #process: ChildProcess
  #callers = 0

  private constructor(port: number) {
    this.at = `http://127.0.0.1:${port}`
    this.#process = spawn(program, ['serve'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        FORECOURT_LISTEN: `127.0.0.1:${port}`,
        FORECOURT_DATA_DIR: this.folder,
        FORECOURT_LOG: 'error',
        FORECOURT_ADMIN_EMAIL: PLATFORM,
        FORECOURT_ADMIN_PASSWORD: PASSWORD,
        FORECOURT_TRUSTED_PROXIES: '127.0.0.1',
      },
    })
  }

  static async start(): Promise<AttackedServer> {
    const port = await new Promise<number>(found => {
      const probe = createServer().listen(0, '127.0.0.1', () => {
        const address = probe.address()
        probe.close(() => found(typeof address === 'object' && address ? address.port : 0))
      })
    })
    const server = new AttackedServer(port)
    const isReady = async () => {
      if (server.#process.exitCode !== null) throw new Error('the server ended')
      const response = await fetch(`${server.at}/api/health`).catch(() => undefined)
      return response?.status === 200 || undefined
    }
    await poll('the server is ready', isReady).catch(error => {
      server.stop()
      throw error
    })
    server.document = (await (await fetch(`${server.at}/api/openapi.json`)).json()) as Document
    return server
  }

  stop() {
    this.#process.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Returns headers with a new client address, so that the server's rate limits per address don't apply. */
  newClientHeaders(): Record<string, string> {
    this.#callers += 1
    return {
      'x-forwarded-for': `10.${this.#callers >> 16}.${(this.#callers >> 8) & 255}.${this.#callers & 255}`,
    }
  }

  async request(method: string, path: string, body?: Json | FormData, tokens?: Tokens): Promise<ApiResponse> {
    const response = await fetch(this.at + path, {
      method,
      headers: {
        ...this.newClientHeaders(),
        ...(tokens && { authorization: `Bearer ${tokens.accessToken}` }),
        ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      },
      body: body instanceof FormData ? body : body && JSON.stringify(body),
    })
    const text = await response.text()
    return { status: response.status, body: /^[{[]/.test(text) ? JSON.parse(text) : { text } }
  }

  /** Sends a request and returns the body of the response. Throws if the status is not a success. */
  async requestOk(method: string, path: string, body?: Json | FormData, tokens?: Tokens): Promise<Json> {
    const { status, body: reply } = await this.request(method, path, body, tokens)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(reply).slice(0, 500)}`)
    return reply
  }

  mails(): string[] {
    const outbox = join(this.folder, 'outbox')
    return (existsSync(outbox) ? readdirSync(outbox) : [])
      .filter(name => name.endsWith('.eml'))
      .sort()
      .map(name => readFileSync(join(outbox, name), 'utf8'))
  }

  async signIn(email: string, deviceName = 'Scripts'): Promise<Tokens> {
    const deviceId = `device of ${email}`
    await this.requestOk('POST', '/api/auth/login', { email, password: PASSWORD, deviceId, deviceName })
    const otp = await poll(`a code for ${email}`, () => {
      const mine = this.mails().filter(mail => mail.includes(`<${email}>`))
      return mine.map(mail => /^\s*(\d{6})\s*$/m.exec(mail)?.[1]).findLast(code => code)
    })
    const { data } = await this.requestOk('POST', '/api/auth/verify-otp', {
      email,
      otp,
      deviceId,
      deviceName,
    })
    return (data as { tokens: Tokens }).tokens
  }

  /**
   * Sends the form of a request (`call`, such as `post /api/contacts`) once for each payload, with a different payload
   * in each of its text fields. In the end, each field has received each payload. For a payload that a field rejects,
   * the first accepted one of `acceptedVariants` is sent. The fields in `kept` keep the values that `base` returns.
   */
  async attack(
    call: string,
    base: (place: number) => Json,
    kept: string[],
    tokens?: Tokens,
  ): Promise<ApiResponse[]> {
    const [verb = '', path = ''] = call.split(' ')
    const content = this.document.paths[path]?.[verb]?.requestBody?.content ?? {}
    const [[type = '', { schema } = { schema: {} }] = []] = Object.entries(content)
    const fields = textFields(schema).filter(([name]) => !kept.includes(name))
    for (const [name] of fields) this.fields.add(`${call} ${name}`)
    const one = async (place: number): Promise<ApiResponse> => {
      const form = base(place)
      const usual = structuredClone(form)
      const address = path.replace(/\{(\w+)\}/g, (_, name) => String(form[name]))
      const tries = new Map(
        fields.map(([name, field], shift) => {
          const payload = payloads[(place + shift) % payloads.length] ?? ''
          return [name, [payload, ...acceptedVariants(payload, field, place), getField(usual, name)]]
        }),
      )
      for (;;) {
        for (const [name, [value]] of tries) setField(form, name, value)
        const response = await this.request(
          verb.toUpperCase(),
          address,
          type.includes('form-data') ? toFormData(form) : form,
          tokens,
        )
        if (response.status < 300) {
          this.counts.accepted += [...tries.values()].filter(([, ...left]) => left.length === 4).length
          return response
        }
        const broken = Object.keys((response.body.fields as Json | undefined) ?? {}).filter(
          name => (tries.get(name)?.length ?? 0) > 1,
        )
        if (!broken.length)
          throw new Error(`${call}: ${response.status} ${JSON.stringify(response.body).slice(0, 500)}`)
        for (const name of broken) {
          const left = tries.get(name)
          if (left?.length === 5) this.counts.rejected += 1
          left?.shift()
        }
      }
    }
    return runInParallel(payloads.map((_, place) => () => one(place)))
  }
}

function toFormData(form: Json): FormData {
  const parts = new FormData()
  for (const [name, value] of Object.entries(form)) if (value !== undefined) parts.set(name, String(value))
  return parts
}

/** Runs all tasks, at most six at a time, and returns their results in the order of the tasks. */
export async function runInParallel<T>(work: (() => Promise<T>)[]): Promise<T[]> {
  const done: T[] = []
  const left = [...work.entries()]
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) done[next[0]] = await next[1]()
  }
  await Promise.all(Array.from({ length: 6 }, worker))
  return done
}

/** Returns the form values of the administrator of the corporation number `place`. */
export const admin = (place: number) => ({
  first_name: 'Ada',
  last_name: 'Lindqvist',
  email: `admin${place}@bil.example`,
  phone: '0701234567',
  password: PASSWORD,
})
