// Measures each job in a new Chromium, in a page with a worker: that of the built web app, or one with another library.
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { extname, join, normalize } from 'node:path'
import { resetPeak, kilobytes } from './memory.mjs'
import { BENCH, BUILT, fromWeb, WEB } from './paths.mjs'

const APP = join(WEB, 'dist')
const types = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.wasm': 'application/wasm',
}

/** Returns the path of the script of the import worker, which the app's import wizard starts. */
function appWorker() {
  const name = readdirSync(join(APP, 'assets')).find(name => /^worker-[\w-]+\.js$/.test(name))
  if (!name) throw new Error('The web app is not built, or its import worker was renamed: make web')
  return `/assets/${name}`
}

function fileOf(path) {
  if (path === '/bench/comlink.mjs') return join(WEB, 'node_modules/comlink/dist/esm/comlink.mjs')
  if (path.startsWith('/bench/')) return join(BENCH, path.slice('/bench/'.length))
  if (path.startsWith('/libraries/')) return join(BUILT, path.slice('/libraries/'.length))
  return join(APP, path)
}

function serve() {
  const server = createServer(async ({ url }, response) => {
    const path = normalize(new URL(url, 'http://bench').pathname)
    try {
      const body = await readFile(fileOf(path))
      response
        .writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' })
        .end(body)
    } catch {
      response.writeHead(404).end()
    }
  })
  return new Promise(done => server.listen(0, '127.0.0.1', () => done(server)))
}

/** Returns the ids of Chromium's renderer processes, and the sum of their CPU times in milliseconds. */
async function renderers(browser) {
  const session = await browser.newBrowserCDPSession()
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  await session.detach()
  const found = processInfo.filter(({ type }) => type === 'renderer')
  return { ids: found.map(({ id }) => id), cpu: found.reduce((sum, { cpuTime }) => sum + cpuTime * 1000, 0) }
}

/**
 * Starts the server of the benchmark's pages. Of the returned functions, `measure` runs a job in a new Chromium and
 * `end` stops the server.
 */
export async function startChromium() {
  const { chromium } = (await fromWeb('playwright')).default
  const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell'
  const server = await serve()
  const origin = `http://127.0.0.1:${server.address().port}`
  const worker = appWorker()
  return {
    async measure(name, mode, path) {
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
        const before = resetPeak(ids)
        const address = name === 'Forecourt' ? worker : '/libraries/library-worker.js'
        const measured = await page.evaluate(job => window.measure(...job), [name, mode, address])
        const after = await renderers(browser)
        return { ...measured, cpu: after.cpu - cpu, peak: kilobytes(ids, 'VmHWM') - before }
      } finally {
        await browser.close()
      }
    },
    end: () => server.close(),
  }
}
