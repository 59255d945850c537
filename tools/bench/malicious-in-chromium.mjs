// Opens and checks malicious files in Chromium as the import wizard does, with the import worker of a running server.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fromWeb, WEB } from './paths.mjs'

/**
 * Opens and checks the chosen file in the import worker, whose script is at `worker`. This function runs in the page.
 */
async function openFile(worker) {
  const { Comlink } = window
  const file = document.querySelector('#file').files[0]
  const remote = Comlink.wrap(new Worker(worker, { type: 'module' }))
  void remote.listen(Comlink.proxy(() => undefined))
  await remote.warmUp()
  const started = performance.now()
  const open = async () => {
    const { head, ...error } = await remote.open(file, {})
    if (!head) return error
    const mapping = head.matches.map(({ fileColumn, modelColumn }) => ({ fileColumn, modelColumn }))
    const corrections = { cells: [], replacements: [], leftOut: [], duplicates: 'import' }
    const { result, ...other } = await remote.check(1, mapping, corrections)
    return result ? { rows: result.verdict.total } : other
  }
  // If the worker throws an exception, the app terminates it and shows that the file can't be read.
  const outcome = await open().catch(error => ({ exception: String(error) }))
  return { ms: performance.now() - started, outcome }
}

/**
 * Starts Chromium. Of the returned functions, `open` opens and checks a file in the import worker, and `end` stops
 * Chromium.
 */
export async function startBrowser(at) {
  const { chromium } = (await fromWeb('playwright')).default
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  })
  const name = readdirSync(join(WEB, 'dist/assets')).find(name => /^worker-[\w-]+\.js$/.test(name))
  const worker = `/assets/${name}`
  const { headers } = await fetch(at + worker)
  if (!headers.get('content-type')?.includes('javascript')) {
    throw new Error('The program and web/dist are from different builds: make build')
  }
  return {
    async open(path) {
      // Allows this script to add another one to the page. The worker still has the app's content security policy.
      const context = await browser.newContext({ bypassCSP: true })
      try {
        const page = await context.newPage()
        await page.goto(`${at}/favicon.ico`)
        await page.addScriptTag({ path: join(WEB, 'node_modules/comlink/dist/umd/comlink.js') })
        await page.evaluate(() => {
          document.body.innerHTML = '<input type="file" id="file" />'
        })
        await page.setInputFiles('#file', path)
        return await page.evaluate(openFile, worker)
      } finally {
        await context.close()
      }
    },
    end: () => browser.close(),
  }
}
