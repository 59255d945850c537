// Continuously sends reads (lists, the dashboard, permissions) in a worker thread. The latency of a request counts from
// the time when it was due to be sent.
import { parentPort, workerData } from 'node:worker_threads'

const { at, token, every } = workerData
const paths = [
  '/api/contacts?limit=15',
  '/api/dashboard',
  '/api/rbac/user-permissions',
  '/api/customers?limit=15',
]
const pause = ms => new Promise(done => setTimeout(done, ms))

let waits = []
let failed = 0
parentPort.on('message', () => {
  parentPort.postMessage({ waits, failed })
  waits = []
  failed = 0
})

async function read(path, due) {
  try {
    const response = await fetch(at + path, { headers: { authorization: `Bearer ${token}` } })
    await response.arrayBuffer()
    if (!response.ok) failed++
  } catch {
    failed++
  }
  waits.push(performance.now() - due)
}

for (let [number, due] = [0, performance.now()]; ; number++, due += every) {
  await pause(Math.max(due - performance.now(), 0))
  void read(paths[number % paths.length], due)
}
