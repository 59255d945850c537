import { onTestFinished } from 'vitest'
import { checkConnection } from '~/lib/connection'
import { network } from './network'
import { failNetwork } from './signIn'

/** From now on the server is unreachable for these requests, until `reconnect` or the end of the test. */
export function disconnect(...calls: string[]) {
  for (const call of ['GET /api/health', ...calls]) network.on(call, failNetwork)
  onTestFinished(reconnect)
}

/** Makes the app notice that the server is reachable again. */
export async function reconnect() {
  network.on('GET /api/health', () => ({ body: { success: true, message: '' } }))
  await checkConnection()
}
