// The script of the page that measures the workers: the time until the result, and the longest blocking of the main
// thread.
import * as Comlink from '/bench/comlink.mjs'

const pause = ms => new Promise(done => setTimeout(done, ms))

/**
 * Starts to measure how long the main thread is blocked. The returned function stops, and returns the longest time in
 * milliseconds.
 */
function startMeasuringBlocking() {
  let [last, longest] = [performance.now(), 0]
  const tick = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(tick, 4)
  return () => {
    tick()
    clearInterval(timer)
    return longest
  }
}

/**
 * Starts the import worker of the built app, whose script is at `address`, and calls it as the import wizard does. Of
 * the returned functions, `warm` loads the engine and `run` runs a job.
 */
function startAppWorker(address) {
  const remote = Comlink.wrap(new Worker(address, { type: 'module' }))
  void remote.listen(Comlink.proxy(() => undefined))
  return {
    warm: () => remote.warmUp(),
    async run(file, mode) {
      const { head, ...error } = await remote.open(file, {})
      if (!head) throw new Error(JSON.stringify(error))
      if (mode !== 'check') return { rows: head.preview.length }
      const mapping = head.matches.map(({ fileColumn, modelColumn }) => ({ fileColumn, modelColumn }))
      const corrections = { cells: [], replacements: [], leftOut: [], duplicates: 'import' }
      const { result, ...other } = await remote.check(1, mapping, corrections)
      if (!result) throw new Error(JSON.stringify(other))
      return result.verdict
    },
  }
}

/** Starts a worker that reads files with the library `name`. Returns the same functions as `startAppWorker`. */
function startLibraryWorker(address, name) {
  const worker = new Worker(address, { type: 'module' })
  const send = message =>
    new Promise((done, fail) => {
      worker.onmessage = ({ data: { result, error } }) => (error ? fail(new Error(error)) : done(result))
      worker.onerror = event => fail(new Error(event.message))
      worker.postMessage({ library: name, ...message })
    })
  return { warm: () => send({}), run: (file, mode) => send({ file, mode }) }
}

/** Measures one job. The mode `cold` is a preview whose time includes loading and starting the worker. */
window.measure = async (name, mode, address) => {
  const file = document.querySelector('input').files[0]
  const start = () => (name === 'Forecourt' ? startAppWorker(address) : startLibraryWorker(address, name))
  let reader
  if (mode !== 'cold') {
    reader = start()
    await reader.warm()
  }
  await pause(300)
  const stopMeasuring = startMeasuringBlocking()
  const started = performance.now()
  reader ??= start()
  const result = await reader.run(file, mode)
  const ms = performance.now() - started
  return { ms, blocked: stopMeasuring(), result }
}
