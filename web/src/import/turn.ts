/** Resolves in a new task, after waiting messages were handled. Not a timer, because browsers delay nested timers. */
export const yieldToMessages = () =>
  new Promise<void>(done => {
    waiting.push(done)
    channel.port2.postMessage(null)
  })

const waiting: (() => void)[] = []
const channel = new MessageChannel()
channel.port1.onmessage = () => waiting.shift()?.()
