// The page that the workers are measured from. What a person would notice is measured: from the file in hand to the
// answer, and how long the page itself stood still meanwhile.
import * as Comlink from '/bench/comlink.mjs'

const pause = ms => new Promise(done => setTimeout(done, ms))

/** The longest that this page stood still from now on. */
function stillness() {
  let [last, longest] = [performance.now(), 0]
  const look = () => {
    const now = performance.now()
    longest = Math.max(longest, now - last)
    last = now
  }
  const timer = setInterval(look, 4)
  return () => {
    look()
    clearInterval(timer)
    return longest
  }
}

/** The worker of the built app, asked as the wizard asks it. */
function ours(address) {
  const remote = Comlink.wrap(new Worker(address, { type: 'module' }))
  void remote.listen(Comlink.proxy(() => undefined))
  return {
    warm: () => remote.warmUp(),
    async work(file, mode) {
      const { head, ...refusal } = await remote.open(file, {})
      if (!head) throw new Error(JSON.stringify(refusal))
      if (mode !== 'check') return { rows: head.preview.length }
      const mapping = head.matches.map(({ fileColumn, modelColumn }) => ({ fileColumn, modelColumn }))
      const corrections = { cells: [], replacements: [], leftOut: [], duplicates: 'import' }
      const { result, ...other } = await remote.check(1, mapping, corrections)
      if (!result) throw new Error(JSON.stringify(other))
      return result.verdict
    },
  }
}

function peer(address, who) {
  const worker = new Worker(address, { type: 'module' })
  const ask = question =>
    new Promise((done, fail) => {
      worker.onmessage = ({ data: { answer, error } }) => (error ? fail(new Error(error)) : done(answer))
      worker.onerror = event => fail(new Error(event.message))
      worker.postMessage({ who, ...question })
    })
  return { warm: () => ask({}), work: (file, mode) => ask({ file, mode }) }
}

/** `cold` is a preview with all that has to be fetched and started for it. */
window.measure = async (who, mode, address) => {
  const file = document.querySelector('input').files[0]
  const start = () => (who === 'Forecourt' ? ours(address) : peer(address, who))
  let reader
  if (mode !== 'cold') {
    reader = start()
    await reader.warm()
  }
  await pause(300)
  const stood = stillness()
  const begun = performance.now()
  reader ??= start()
  const answer = await reader.work(file, mode)
  const ms = performance.now() - begun
  return { ms, still: stood(), answer }
}
