import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const LISTEN = '127.0.0.1:18300'

/** Returns the demo in a new data folder: `start`, `stop`, and `code`, which returns the code of the newest mail, if any. */
export function demo(program) {
  const folder = mkdtempSync(join(tmpdir(), 'forecourt-browsers-'))
  const address = `http://${LISTEN}`
  let server
  return {
    address,
    async start() {
      const env = { ...process.env, FORECOURT_LISTEN: LISTEN, FORECOURT_PUBLIC_URL: address, FORECOURT_DATA_DIR: folder }
      server = spawn(program, ['demo'], { env, stdio: 'ignore' })
      for (let tries = 0; tries < 240; tries++) {
        const isUp = await fetch(`${address}/api/health`).then(({ ok }) => ok, () => false)
        if (isUp) return
        await new Promise(done => setTimeout(done, 250))
      }
      throw new Error('the demo does not start')
    },
    async stop() {
      const ended = new Promise(done => server.once('exit', done))
      server.kill()
      await ended
    },
    code() {
      const mails = join(folder, 'outbox')
      const newest = readdirSync(mails).sort().at(-1)
      return newest && /\b(\d{6})\b/.exec(readFileSync(join(mails, newest), 'utf8'))?.[1]
    },
  }
}
