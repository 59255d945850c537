import '~/app.css'
import { afterEach, beforeEach } from 'vitest'
import { loadCore } from '~/core'
import { network } from './network'
import { closeAll } from './open'

// Whatever a test leaves on the console as an error is a fault that it found.
const errors: string[] = []
// biome-ignore lint/suspicious/noConsole: it is listened to here.
const original = console.error
console.error = (...what) => {
  errors.push(what.map(String).join(' '))
  original(...what)
}

beforeEach(async () => {
  localStorage.clear()
  sessionStorage.clear()
  network.reset()
  errors.length = 0
  await loadCore()
})

afterEach(() => {
  closeAll()
  if (errors.length > 0) throw new Error(`The console says:\n${errors.join('\n')}`)
})
