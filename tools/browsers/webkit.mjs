import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { find } from './find.mjs'

const PORT = 18301
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf'
const keys = { Enter: '\uE007', Escape: '\uE00C' }
const folders = ['webkit2gtk-4.1', 'webkit2gtk-4.0', 'webkitgtk-6.0']
const minis = folders.map(folder => `/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu/${folder}/MiniBrowser`)

/** Starts WebKitGTK's small browser, which is controlled by WebDriver. It needs a display, such as Xvfb's. */
export async function startWebKit() {
  const driver = spawn('WebKitWebDriver', [`--port=${PORT}`], { stdio: 'ignore' })
  const call = async (method, path, body) => {
    const init = { method, headers: { 'content-type': 'application/json' } }
    const response = await fetch(`http://127.0.0.1:${PORT}${path}`, body ? { ...init, body: JSON.stringify(body) } : init)
    const { value } = await response.json()
    if (!response.ok) throw new Error(`${path}: ${value.error}: ${value.message}`)
    return value
  }
  const binary = minis.find(existsSync)
  const options = { binary, args: ['--automation'] }
  const capabilities = { alwaysMatch: { 'webkitgtk:browserOptions': options } }
  const started = await retry(() => call('POST', '/session', { capabilities }))
  const session = `/session/${started.sessionId}`
  const run = (script, args = []) => call('POST', `${session}/execute/sync`, { script, args })
  await call('POST', `${session}/window/rect`, { width: 1280, height: 900 })
  const { browserName, browserVersion } = started.capabilities
  return {
    name: `${browserName} ${browserVersion}`,
    errors: [],
    goTo: url => call('POST', `${session}/url`, { url }),
    find: async (kind, name, isPart) =>
      (await run(`return (${find})(...arguments) ?? null`, [kind, name, isPart])) ?? undefined,
    async click(element) {
      // Scrolled by the driver, an element may be below the page's sticky bar.
      await run("arguments[0].scrollIntoView({ block: 'center' })", [element])
      await call('POST', `${session}/element/${element[ELEMENT]}/click`, {})
    },
    type: (element, text) => call('POST', `${session}/element/${element[ELEMENT]}/value`, { text }),
    press: async key => {
      const value = keys[key] ?? key
      const actions = [{ type: 'keyDown', value }, { type: 'keyUp', value }]
      await call('POST', `${session}/actions`, { actions: [{ type: 'key', id: 'keyboard', actions }] })
    },
    upload: (element, path) => call('POST', `${session}/element/${element[ELEMENT]}/value`, { text: path }),
    evaluate: expression => run(`return ${expression}`),
    async stop() {
      await call('DELETE', session)
      driver.kill()
    },
  }
}

/** Calls the function until it doesn't throw, for at most ten seconds. */
async function retry(work) {
  for (let tries = 0; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (tries >= 40) throw error
      await new Promise(done => setTimeout(done, 250))
    }
  }
}
