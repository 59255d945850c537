/** Lets messages in that came while this worker was at work. A timer would wait for milliseconds after a while. */
export function turn(): Promise<void> {
  return new Promise(done => {
    waiting.push(done)
    channel.port2.postMessage(null)
  })
}

const waiting: (() => void)[] = []
const channel = new MessageChannel()
channel.port1.onmessage = () => waiting.shift()?.()
