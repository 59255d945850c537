import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { program } from '../program'
import { payloads } from './payloads'
import { until } from './until'

export const PASSWORD = 'a-long-test-password'
export const PLATFORM = 'super@platform.example'

export type Json = Record<string, unknown>
export type Answer = { status: number; body: Json }
/** Who is signed in, as a browser keeps it. */
export type Tokens = { accessToken: string; refreshToken: string }

/** A field of a form, as the document of the calls tells it. */
type Told = { type?: string | string[]; maxLength?: number; properties?: Record<string, Told>; items?: Told }
type Document = {
  paths: Record<string, Record<string, { requestBody?: { content: Record<string, { schema: Told }> } }>>
}

/** The fields of a form that take a text, by their names; those of a form within it after a dot. */
export function textsOf(schema: Told, before = ''): [name: string, told: Told][] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, told]) =>
    told.properties
      ? textsOf(told, `${before}${name}.`)
      : [told.type ?? []].flat().includes('string')
        ? [[before + name, told] as [string, Told]]
        : [],
  )
}

function put(form: Json, name: string, value: unknown) {
  const [first = '', rest] = name.split(/\.(.*)/)
  if (rest === undefined) form[first] = value
  else put(form[first] as Json, rest, value)
}

function textOf(form: Json, name: string): unknown {
  const [first = '', rest] = name.split(/\.(.*)/)
  return rest === undefined ? form[first] : textOf(form[first] as Json, rest)
}

/** What a field that refuses a text may still take of it. */
function nearest(payload: string, { maxLength = 10_000 }: Told, place: number): string[] {
  const letters = payload.replace(/[^\p{L} '-]/gu, '')
  return [
    Array.from(payload).slice(0, maxLength).join(''),
    letters.slice(0, Math.min(maxLength, 50)),
    `${payload.replace(/[^a-z0-9%+-]/gi, '').slice(0, 40)}${place}@bil.example`,
  ]
}

/** A server of its own, whose records nobody else's stories meet. */
export class Attacked {
  readonly at: string
  readonly folder = mkdtempSync(join(tmpdir(), 'forecourt-scripts-'))
  /** How many payloads went into a field, and how many a rule refused. */
  readonly counts = { taken: 0, refused: 0 }
  /** The fields that were attacked, as `post /api/contacts name`. */
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

  static async start(): Promise<Attacked> {
    const port = await new Promise<number>(found => {
      const probe = createServer().listen(0, '127.0.0.1', () => {
        const address = probe.address()
        probe.close(() => found(typeof address === 'object' && address ? address.port : 0))
      })
    })
    const attacked = new Attacked(port)
    const isReady = async () => {
      if (attacked.#process.exitCode !== null) throw new Error('the server ended')
      const answer = await fetch(`${attacked.at}/api/health`).catch(() => undefined)
      return answer?.status === 200 || undefined
    }
    await until('the server is ready', isReady).catch(error => {
      attacked.end()
      throw error
    })
    attacked.document = (await (await fetch(`${attacked.at}/api/openapi.json`)).json()) as Document
    return attacked
  }

  end() {
    this.#process.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }

  /** Every call comes from another address, so that none is throttled for another's sake. */
  from(): Record<string, string> {
    this.#callers += 1
    return {
      'x-forwarded-for': `10.${this.#callers >> 16}.${(this.#callers >> 8) & 255}.${this.#callers & 255}`,
    }
  }

  async call(method: string, path: string, body?: Json | FormData, tokens?: Tokens): Promise<Answer> {
    const answer = await fetch(this.at + path, {
      method,
      headers: {
        ...this.from(),
        ...(tokens && { authorization: `Bearer ${tokens.accessToken}` }),
        ...(body && !(body instanceof FormData) && { 'content-type': 'application/json' }),
      },
      body: body instanceof FormData ? body : body && JSON.stringify(body),
    })
    const text = await answer.text()
    return { status: answer.status, body: text.startsWith('{') ? JSON.parse(text) : { text } }
  }

  /** The same for a call that must be answered well. */
  async well(method: string, path: string, body?: Json | FormData, tokens?: Tokens): Promise<Json> {
    const { status, body: told } = await this.call(method, path, body, tokens)
    if (status >= 300) throw new Error(`${method} ${path}: ${status} ${JSON.stringify(told).slice(0, 500)}`)
    return told
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
    await this.well('POST', '/api/auth/login', { email, password: PASSWORD, deviceId, deviceName })
    const otp = await until(`a code for ${email}`, () => {
      const mine = this.mails().filter(mail => mail.includes(`<${email}>`))
      return mine.map(mail => /^\s*(\d{6})\s*$/m.exec(mail)?.[1]).findLast(code => code)
    })
    const { data } = await this.well('POST', '/api/auth/verify-otp', { email, otp, deviceId, deviceName })
    return (data as { tokens: Tokens }).tokens
  }

  /**
   * Sends this form once for each payload, with another one in each of its texts, so that in the end each field was sent
   * each payload. Where one is refused, the nearest that is taken is sent. What `kept` names stays as it is.
   */
  async attack(
    call: string,
    base: (place: number) => Json,
    kept: string[],
    tokens?: Tokens,
  ): Promise<Answer[]> {
    const [verb = '', path = ''] = call.split(' ')
    const content = this.document.paths[path]?.[verb]?.requestBody?.content ?? {}
    const [[type = '', { schema } = { schema: {} }] = []] = Object.entries(content)
    const fields = textsOf(schema).filter(([name]) => !kept.includes(name))
    for (const [name] of fields) this.fields.add(`${call} ${name}`)
    const one = async (place: number): Promise<Answer> => {
      const form = base(place)
      const usual = structuredClone(form)
      const address = path.replace(/\{(\w+)\}/g, (_, name) => String(form[name]))
      const tries = new Map(
        fields.map(([name, told], shift) => {
          const payload = payloads[(place + shift) % payloads.length] ?? ''
          return [name, [payload, ...nearest(payload, told, place), textOf(usual, name)]]
        }),
      )
      for (;;) {
        for (const [name, [value]] of tries) put(form, name, value)
        const answer = await this.call(
          verb.toUpperCase(),
          address,
          type.includes('form-data') ? inParts(form) : form,
          tokens,
        )
        if (answer.status < 300) {
          this.counts.taken += [...tries.values()].filter(([, ...left]) => left.length === 4).length
          return answer
        }
        const broken = Object.keys((answer.body.fields as Json | undefined) ?? {}).filter(name =>
          tries.has(name),
        )
        if (!broken.length)
          throw new Error(`${call}: ${answer.status} ${JSON.stringify(answer.body).slice(0, 500)}`)
        for (const name of broken) {
          const left = tries.get(name)
          if (left?.length === 5) this.counts.refused += 1
          left?.shift()
        }
      }
    }
    return inTurns(payloads.map((_, place) => () => one(place)))
  }
}

function inParts(form: Json): FormData {
  const parts = new FormData()
  for (const [name, value] of Object.entries(form)) if (value !== undefined) parts.set(name, String(value))
  return parts
}

/** Does all of it, a few at a time, and gives what came of each in their order. */
export async function inTurns<T>(work: (() => Promise<T>)[]): Promise<T[]> {
  const done: T[] = []
  const left = [...work.entries()]
  const worker = async () => {
    for (let next = left.shift(); next; next = left.shift()) done[next[0]] = await next[1]()
  }
  await Promise.all(Array.from({ length: 6 }, worker))
  return done
}

/** Whoever administers the corporation with this number, and what they are told of it. */
export const admin = (place: number) => ({
  first_name: 'Ada',
  last_name: 'Lindqvist',
  email: `admin${place}@bil.example`,
  phone: '0701234567',
  password: PASSWORD,
})
