// `make bench-hostile`: starts a demo, sends it every malicious file while another user sends reads, and then opens
// each file in Chromium. Reports for each file the time until its error message or the end of its import, and the
// growth of the memory of the server's main process, without the processes that read the files; also the response
// times of the other user.
//
// --quiet 20   seconds of reads without files, for comparison
// --every 20   milliseconds between two reads
// --files xls  only files whose name contains this
// --only server or chromium
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Worker } from 'node:worker_threads'
import { bytesOf, maliciousFiles } from './malicious-files.mjs'
import { startBrowser } from './malicious-in-chromium.mjs'
import { resetPeak, kilobytes } from './memory.mjs'
import { ROOT } from './paths.mjs'

const { values } = parseArgs({
  options: {
    quiet: { type: 'string', default: '20' },
    every: { type: 'string', default: '20' },
    files: { type: 'string', default: '' },
    only: { type: 'string' },
  },
})
/** The goals: the most milliseconds per file, and the most megabytes by which the server's memory may grow. */
const [MAX_MS, MAX_MB] = [5_000, 50]
const pause = ms => new Promise(done => setTimeout(done, ms))
/** Uploads are limited per user, so several users take turns. */
const USERS = [
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
  const response = await fetch(at + path, { method: 'POST', headers, body: JSON.stringify(body) })
  return response.json()
}

/** Signs a user in with the mailed code and returns the access token. */
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
      const response = await post(at, '/api/auth/verify-otp', { email, otp, deviceId: email })
      return response.data.tokens.accessToken
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

/**
 * Uploads a file for a preview and, if that succeeds, imports it. Returns the milliseconds, the status and the message.
 */
async function upload(at, token, { name, path }) {
  const headers = { authorization: `Bearer ${token}` }
  const bytes = bytesOf(path)
  const post = async (route, mapping) => {
    const body = form(name, bytes, mapping)
    const started = performance.now()
    const response = await fetch(`${at}/api/contacts/import/${route}`, { method: 'POST', headers, body })
    const json = await response.json()
    return { status: response.status, json, ms: performance.now() - started }
  }
  const preview = await post('preview')
  if (preview.status !== 200) return { ms: preview.ms, status: preview.status, message: preview.json.message }
  const matches = preview.json.data.matches.map(({ fileColumn, modelColumn }) => ({
    fileColumn,
    modelColumn,
  }))
  // The name must be mapped. If no column is recognised as the name, only the first column is mapped, as the name.
  const mapping = matches.some(({ modelColumn }) => modelColumn === 'name')
    ? matches
    : [{ fileColumn: preview.json.fileColumns[0], modelColumn: 'name' }]
  const started = performance.now()
  const sent = await post('submit', mapping)
  if (sent.status !== 202) {
    return { ms: Math.max(preview.ms, sent.ms), status: sent.status, message: sent.json.message }
  }
  for (;;) {
    const response = await fetch(`${at}/api/contacts/import/status/${sent.json.sessionId}`, { headers })
    const { session } = await response.json()
    if (!['pending', 'processing'].includes(session.status)) {
      const rows = `${session.successRecords} of ${session.totalRecords} rows`
      const ms = Math.max(preview.ms, performance.now() - started)
      return { ms, status: session.status, message: session.message ?? rows }
    }
    await pause(10)
  }
}

const percentile = (list, share) => {
  const sorted = list.toSorted((a, b) => a - b)
  return sorted[Math.min(Math.floor(sorted.length * share), sorted.length - 1)] ?? 0
}

function report(title, { waits, failed }) {
  const [p50, p99] = [percentile(waits, 0.5), percentile(waits, 0.99)].map(ms => ms.toFixed(1))
  console.log(`${title}: ${waits.length} requests, p50 ${p50} ms, p99 ${p99} ms, ${failed} rejected`)
}

const folder = mkdtempSync(join(tmpdir(), 'forecourt-malicious-'))
const files = maliciousFiles(values.files)
const server = await startDemo(folder)
process.once('exit', () => {
  server.end()
  rmSync(folder, { recursive: true, force: true })
})
const tokens = []
for (const user of USERS) tokens.push(await signIn(server, folder, `${user}.example`))
const [reading, ...uploading] = tokens
const results = new Map(files.map(file => [file.name, {}]))

if (values.only !== 'chromium') {
  const reader = new Worker(new URL('background-reads.mjs', import.meta.url), {
    workerData: { at: server.at, token: reading, every: Number(values.every) },
  })
  const takeWaits = () =>
    new Promise(done => {
      reader.once('message', done)
      reader.postMessage('')
    })
  await pause(3_000)
  await takeWaits()
  await pause(Number(values.quiet) * 1_000)
  report('Reads without files', await takeWaits())
  const before = kilobytes([server.id], 'VmRSS')
  for (const [number, file] of files.entries()) {
    const start = resetPeak([server.id])
    const outcome = await upload(server.at, uploading[number % uploading.length], file)
    const grown = (kilobytes([server.id], 'VmHWM') - start) / 1024
    Object.assign(results.get(file.name), { ...outcome, grown })
  }
  report('Reads during the uploads', await takeWaits())
  const after = kilobytes([server.id], 'VmRSS')
  console.log(`Memory of the server: ${before >> 10} MB before, ${after >> 10} MB afterwards`)
  await reader.terminate()
}
if (values.only !== 'server') {
  const browser = await startBrowser(server.at)
  for (const { name, path } of files) results.get(name).browser = await browser.open(path)
  await browser.end()
}

const number = (value, digits = 0) => (value === undefined ? '' : value.toFixed(digits)).padStart(9)
const workerOutcome = ({ browser }) => {
  const { outcome } = browser ?? {}
  return outcome ? (outcome.rows === undefined ? JSON.stringify(outcome) : `${outcome.rows} rows`) : ''
}
console.log(`\n${'file'.padEnd(38)}${'MB'.padStart(5)} server ms  growth MB worker ms  server | worker`)
for (const { name, path } of files) {
  const result = results.get(name)
  const size = (statSync(path).size / 2 ** 20).toFixed(0).padStart(5)
  const figures =
    number(result.ms) + number(result.grown, 1).padStart(10) + number(result.browser?.ms).padStart(10)
  console.log(
    `${name.padEnd(38)}${size} ${figures}  ${result.status ?? ''} ${result.message ?? ''} | ${workerOutcome(result)}`,
  )
}
const all = [...results.values()]
const largest = of => Math.max(0, ...all.map(result => of(result) ?? 0))
console.log(`\nmaximum: server ${largest(r => r.ms).toFixed(0)} ms, worker ${largest(r => r.browser?.ms).toFixed(0)} ms (goal ${MAX_MS}), \
memory ${largest(r => r.grown).toFixed(1)} MB growth (goal ${MAX_MB})`)
server.end()
