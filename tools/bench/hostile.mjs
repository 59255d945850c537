// `make bench-hostile`: every harmful file sent to a running server while somebody looks at lists, and opened in Chromium.
// How soon each ends in its sentence, how much more memory the server takes, and what the others notice.
//
// --quiet 20   seconds of lists alone, to compare with
// --every 20   milliseconds between two looks at a list
// --files xls  only those with this in their names
// --only server or chromium
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { bytesOf, harmful } from './harm.mjs'
import { startJudge } from './harm-in-chromium.mjs'
import { beginAnew, kilobytes } from './memory.mjs'
import { ROOT } from './places.mjs'

const { values } = parseArgs({
  options: {
    quiet: { type: 'string', default: '20' },
    every: { type: 'string', default: '20' },
    files: { type: 'string', default: '' },
    only: { type: 'string' },
  },
})
/** So much a file may take, and so much more memory the server. */
const [SOON, MOST_MB] = [5_000, 50]
const pause = ms => new Promise(done => setTimeout(done, ms))
/** Nobody may send too many files, so they take turns. */
const PEOPLE = [
  'admin@nordbil',
  'sales@nordbil',
  'admin@weser',
  'sales@weser',
  'admin@kestrel',
  'broker@kestrel',
]

async function freePort() {
  const probe = createServer()
  await new Promise(done => probe.listen(0, '127.0.0.1', done))
  const { port } = probe.address()
  await new Promise(done => probe.close(done))
  return port
}

async function startDemo(folder) {
  const at = `http://127.0.0.1:${await freePort()}`
  const program = process.env.FORECOURT ?? join(ROOT, 'target/release/forecourt')
  const child = spawn(program, ['demo', '--log', 'warn', '--data-dir', folder, '--listen', at.slice(7)], {
    stdio: 'ignore',
  })
  while (!(await fetch(`${at}/api/health`).catch(() => undefined))?.ok) await pause(50)
  return { at, id: child.pid, end: () => child.kill() }
}

async function post(at, path, body, token) {
  const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  const answer = await fetch(at + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return answer.json()
}

/** Signs somebody in with the code that was mailed to them. */
async function signIn({ at }, folder, email) {
  await post(at, '/api/auth/login', {
    email,
    password: 'demo-password',
    deviceId: email,
    deviceName: 'Bench',
  })
  const outbox = join(folder, 'outbox')
  for (;;) {
    const names = existsSync(outbox) ? readdirSync(outbox) : []
    const mails = names.map(name => readFileSync(join(outbox, name), 'utf8'))
    const mail = mails.find(text => new RegExp(`^To:.*${email}`, 'm').test(text))
    const otp = mail && /^\s*(\d{6})\s*$/m.exec(mail)?.[1]
    if (otp) {
      const answer = await post(at, '/api/auth/verify-otp', { email, otp, deviceId: email })
      return answer.data.tokens.accessToken
    }
    await pause(20)
  }
}

function form(name, bytes, mapping) {
  const body = new FormData()
  body.append('file', new File([bytes], name))
  if (mapping) body.append('columnMapping', JSON.stringify(mapping))
  return body
}

/** Previews a file and, where that is possible, imports it; gives how each ended. */
async function send(at, token, { name, path }) {
  const headers = { authorization: `Bearer ${token}` }
  const bytes = bytesOf(path)
  const ask = async (call, mapping) => {
    const body = form(name, bytes, mapping)
    const begun = performance.now()
    const answer = await fetch(`${at}/api/contacts/import/${call}`, { method: 'POST', headers, body })
    const json = await answer.json()
    return { status: answer.status, json, ms: performance.now() - begun }
  }
  const preview = await ask('preview')
  if (preview.status !== 200)
    return { ms: preview.ms, status: preview.status, sentence: preview.json.message }
  const matches = preview.json.data.matches.map(({ fileColumn, modelColumn }) => ({
    fileColumn,
    modelColumn,
  }))
  // A file without a name in it has no use; so its first column is taken for it.
  const mapping = matches.some(({ modelColumn }) => modelColumn === 'name')
    ? matches
    : [{ fileColumn: preview.json.fileColumns[0], modelColumn: 'name' }]
  const begun = performance.now()
  const sent = await ask('submit', mapping)
  if (sent.status !== 202) {
    return { ms: Math.max(preview.ms, sent.ms), status: sent.status, sentence: sent.json.message }
  }
  for (;;) {
    const answer = await fetch(`${at}/api/contacts/import/status/${sent.json.sessionId}`, { headers })
    const { session } = await answer.json()
    if (!['pending', 'processing'].includes(session.status)) {
      const rows = `${session.successRecords} of ${session.totalRecords} rows`
      const ms = Math.max(preview.ms, performance.now() - begun)
      return { ms, status: session.status, sentence: session.message ?? rows }
    }
    await pause(10)
  }
}

const percentile = (list, share) => {
  const sorted = list.toSorted((a, b) => a - b)
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0
}

function report(title, { waits, failed }) {
  const [half, most] = [percentile(waits, 0.5), percentile(waits, 0.99)].map(ms => ms.toFixed(1))
  console.log(`${title}: ${waits.length} calls, p50 ${half} ms, p99 ${most} ms, ${failed} refused`)
}

const folder = mkdtempSync(join(tmpdir(), 'forecourt-harm-'))
const files = harmful(values.files)
const server = await startDemo(folder)
process.once('exit', () => {
  server.end()
  rmSync(folder, { recursive: true, force: true })
})
const tokens = []
for (const person of PEOPLE) tokens.push(await signIn(server, folder, `${person}.example`))
const results = new Map(files.map(file => [file.name, {}]))

if (values.only !== 'chromium') {
  const steady = new Worker(new URL('steady.mjs', import.meta.url), {
    workerData: { at: server.at, token: tokens[0], every: Number(values.every) },
  })
  const noticed = () =>
    new Promise(done => {
      steady.once('message', done)
      steady.postMessage('')
    })
  await pause(3_000)
  await noticed()
  await pause(Number(values.quiet) * 1_000)
  report('Lists alone', await noticed())
  const before = kilobytes([server.id], 'VmRSS')
  for (const [number, file] of files.entries()) {
    const start = beginAnew([server.id])
    const given = await send(server.at, tokens[number % tokens.length], file)
    const grown = (kilobytes([server.id], 'VmHWM') - start) / 1024
    Object.assign(results.get(file.name), { ...given, grown })
  }
  report('Lists while the files come', await noticed())
  const after = kilobytes([server.id], 'VmRSS')
  console.log(`Memory of the server: ${before >> 10} MB before, ${after >> 10} MB afterwards`)
  await steady.terminate()
}
if (values.only !== 'server') {
  const judge = await startJudge(server.at)
  for (const { name, path } of files) results.get(name).browser = await judge.judge(path)
  await judge.end()
}

const number = (value, digits = 0) => (value === undefined ? '' : value.toFixed(digits)).padStart(9)
const said = ({ browser }) => {
  const { given } = browser ?? {}
  return given ? (given.rows === undefined ? JSON.stringify(given) : `${given.rows} rows`) : ''
}
console.log(
  `\n${'file'.padEnd(38)}${'MB'.padStart(5)} server ms  grown MB worker ms  the server, and the worker`,
)
for (const { name, path } of files) {
  const result = results.get(name)
  const size = (statSync(path).size / 2 ** 20).toFixed(0).padStart(5)
  const figures =
    number(result.ms) + number(result.grown, 1).padStart(10) + number(result.browser?.ms).padStart(10)
  console.log(
    `${name.padEnd(38)}${size} ${figures}  ${result.status ?? ''} ${result.sentence ?? ''} | ${said(result)}`,
  )
}
const all = [...results.values()]
const worst = of => Math.max(0, ...all.map(result => of(result) ?? 0))
console.log(`\nmost: server ${worst(r => r.ms).toFixed(0)} ms, worker ${worst(r => r.browser?.ms).toFixed(0)} ms (goal ${SOON}), \
memory ${worst(r => r.grown).toFixed(1)} MB more (goal ${MOST_MB})`)
server.end()
