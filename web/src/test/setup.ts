import '~/app.css'
import { afterEach, beforeEach } from 'vitest'
import { loadCore } from '~/core'
import { network } from './network'
import { closeAll } from './open'

// A test fails if anything logs an error to the console. That a ResizeObserver is called again in the next frame, for
// example while a popover grows, is no error.
const errors: string[] = []
// biome-ignore lint/suspicious/noConsole: wrapped to collect errors.
const original = console.error
console.error = (...what) => {
  const text = what.map(String).join(' ')
  if (!text.includes('ResizeObserver loop')) errors.push(text)
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
