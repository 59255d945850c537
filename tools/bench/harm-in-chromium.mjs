// A harmful file in the worker of the app that a server serves, under its very headers: as the wizard opens and checks it.
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fromWeb, WEB } from './places.mjs'

/** What the page does; it is sent there as text. */
async function judge(worker) {
  const { Comlink } = window
  const file = document.querySelector('#harm').files[0]
  const remote = Comlink.wrap(new Worker(worker, { type: 'module' }))
  void remote.listen(Comlink.proxy(() => undefined))
  await remote.warmUp()
  const begun = performance.now()
  const answer = async () => {
    const { head, ...refusal } = await remote.open(file, {})
    if (!head) return refusal
    const mapping = head.matches.map(({ fileColumn, modelColumn }) => ({ fileColumn, modelColumn }))
    const corrections = { cells: [], replacements: [], leftOut: [], duplicates: 'import' }
    const { result, ...other } = await remote.check(1, mapping, corrections)
    return result ? { rows: result.verdict.total } : other
  }
  // What is thrown is a fault: the app ends the worker and says that the file can't be read.
  const given = await answer().catch(error => ({ fault: String(error) }))
  return { ms: performance.now() - begun, given }
}

/** Gives what judges a file; `end` stops it. */
export async function startJudge(at) {
  const { chromium } = (await fromWeb('playwright')).default
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium-headless-shell',
    args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu'],
  })
  const name = readdirSync(join(WEB, 'dist/assets')).find(name => /^worker-[\w-]+\.js$/.test(name))
  const worker = `/assets/${name}`
  const { headers } = await fetch(at + worker)
  if (!headers.get('content-type')?.includes('javascript')) {
    throw new Error('The program and web/dist were built at different times: make build')
  }
  return {
    async judge(path) {
      // The page's own script gets in; the worker is the app's and stays under its policy.
      const context = await browser.newContext({ bypassCSP: true })
      try {
        const page = await context.newPage()
        await page.goto(`${at}/favicon.ico`)
        await page.addScriptTag({ path: join(WEB, 'node_modules/comlink/dist/umd/comlink.js') })
        await page.evaluate(() => {
          document.body.innerHTML = '<input type="file" id="harm" />'
        })
        await page.setInputFiles('#harm', path)
        return await page.evaluate(judge, worker)
      } finally {
        await context.close()
      }
    },
    end: () => browser.close(),
  }
}
