// One job in a fresh Chromium: a page, and a worker of the built app or of a peer.
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { beginAnew, kilobytes } from './memory.mjs'
import { BENCH, BUILT, fromWeb, WEB } from './places.mjs'

const APP = join(WEB, 'dist')
const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
}

/** The worker that the wizard starts. */
function workerOfTheApp() {
  const name = readdirSync(join(APP, 'assets')).find(name => /^worker-[\w-]+\.js$/.test(name))
  if (!name) throw new Error('The web app is not built, or its import worker has another name: make web')
  return `/assets/${name}`
}

function placeOf(path) {
  if (path === '/bench/comlink.mjs') return join(WEB, 'node_modules/comlink/dist/esm/comlink.mjs')
  if (path.startsWith('/bench/')) return join(BENCH, path.slice('/bench/'.length))
  if (path.startsWith('/peers/')) return join(BUILT, path.slice('/peers/'.length))
  return join(APP, path)
}

function serve() {
  const server = createServer(async ({ url }, response) => {
    const path = normalize(new URL(url, 'http://bench').pathname)
    try {
      const body = await readFile(placeOf(path))
      response
        .writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
        .end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  return new Promise(done => server.listen(0, '127.0.0.1', () => done(server)))
}

/** The processes that pages and their workers live in, and how long they have worked, in milliseconds. */
async function renderers(browser) {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const found = processInfo.filter(({ type }) => type === 'renderer')
  return { ids: found.map(({ id }) => id), cpu: found.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0) }
}

/** Gives what measures a job; `end` stops it. */
export async function startChromium() {
  const { chromium } = (await fromWeb('playwright')).default
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell'
  const server = await serve()
  const origin = `http://127.0.0.1:${server.address().port}`
  const app = workerOfTheApp()
  return {
    async measure(who, mode, path) {
      const browser = await chromium.launch({
        executablePath,
        args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
      })
      try {
        const page = await browser.newPage()
        await page.goto(`${origin}/bench/page.html`)
        await page.setInputFiles('input', path)
        await page.waitForFunction(() => window.measure)
        const { ids, cpu } = await renderers(browser)
        const before = beginAnew(ids)
        const address = who === 'Forecourt' ? app : '/peers/peers-worker.js'
        const measured = await page.evaluate(job => window.measure(...job), [who, mode, address])
        const after = await renderers(browser)
        return { ...measured, cpu: after.cpu - cpu, peak: kilobytes(ids, 'VmHWM') - before }
      } finally {
        await browser.close()
      }
    },
    end: () => server.close(),
  }
}
