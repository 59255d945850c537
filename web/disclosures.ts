import { createReadStream } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream'
import type { FullConfig } from '@playwright/test'

/** The social security numbers that the end-to-end tests enter. */
export const NUMBERS = ['19850312-4471', '19121212-1212']

/**
 * Returns whether a request is for a single customer, the only one whose response may contain a social security number.
 */
const isRecord = (method: string, path: string) => method === 'GET' && /^\/api\/customers\/[^/?]+$/.test(path)

/**
 * Returns the texts by which to find a social security number: plain, without the hyphen, percent-encoded, with a JSON
 * escape, as hexadecimal digits, as a list of bytes, and in base64 at any offset of a longer text.
 */
export function encodings(number: string): string[] {
  const bytes = Buffer.from(number)
  const base64 = [0, 1, 2].flatMap(before => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
    // The range of base64 characters that contain no bits of the text before or after the number.
    const [from, to] = [Math.ceil((before * 8) / 6), Math.floor((whole.length * 8) / 6)]
    return (['base64', 'base64url'] as const).map(encoding => whole.toString(encoding).slice(from, to))
  })
  return [
    number,
    number.replace('-', ''),
    number.replace('-', '%2D'),
    number.replace('-', '\\u002d'),
    bytes.toString('hex'),
    [...bytes].join(', '),
    [...bytes].join(','),
    ...base64,
  ]
}

const forms = NUMBERS.flatMap(encodings)
const contains = (text: string) => forms.some(form => text.includes(form))

/**
 * Playwright's global setup: a proxy that forwards the end-to-end tests' requests to the server and searches the
 * responses for the social security numbers that the tests enter. After the last test, it also searches the server's
 * log. The run fails if a number is in the log, or in a response other than that of a single customer.
 */
export default async function searchDisclosures({ metadata }: FullConfig) {
  const { listen, server, log } = metadata as { listen: string; server: string; log: string }
  const found: string[] = []
  let [entered, records] = [0, 0]
  const forward = (incoming: IncomingMessage, answer: ServerResponse) => {
    const { method = '', url: path = '' } = incoming
    const isApi = path.startsWith('/api/')
    const headers = { ...incoming.headers }
    // Responses of the API must not be compressed, because they are searched.
    if (isApi) delete headers['accept-encoding']
    const [hostname, port] = server.split(':')
    const onward = request({ hostname, port, path, method, headers, agent: false }, response => {
      answer.writeHead(response.statusCode ?? 502, response.rawHeaders)
      // Unlike `pipe`, also ends the answer if the response is cut off.
      pipeline(response, answer, () => undefined)
      if (!isApi) return
      const heads = JSON.stringify(response.rawHeaders)
      collect(response, body => {
        if (!contains(heads + body)) return
        if (isRecord(method, path)) records += 1
        else found.push(`${method} ${path}: ${response.statusCode}`)
      })
    })
    onward.on('error', () => answer.destroy())
    answer.on('close', () => onward.destroy())
    incoming.pipe(onward)
    if (isApi && path.startsWith('/api/customers'))
      collect(incoming, body => (entered += Number(contains(body))))
  }
  const proxy = createServer(forward)
  const [hostname, port] = listen.split(':')
  await new Promise<void>((done, fail) => {
    proxy.on('error', fail)
    proxy.listen(Number(port), hostname, done)
  })
  return async () => {
    proxy.closeAllConnections()
    proxy.close()
    let lines = 0
    for await (const line of createInterface({ input: createReadStream(log) })) {
      lines += Number(line.includes('/api/customers'))
      if (contains(line)) found.push(`log: ${line}`)
      if (/ (?:WARN|ERROR) /.test(line)) process.stdout.write(`${line}\n`)
    }
    // Without these lines, the log would not have been searched.
    if (entered > 0 && lines === 0) found.push('the log contains no request for customers')
    if (found.length > 0) throw new Error(`social security numbers were disclosed:\n${found.join('\n')}`)
    const summary = `${entered} requests and ${records} records contained a social security number, nothing else did`
    process.stdout.write(`${summary}\n`)
  }
}

/** Calls `read` with the body when the stream has closed; if the connection was cut, with the part that has arrived. */
function collect(stream: IncomingMessage, read: (body: string) => void) {
  const parts: Buffer[] = []
  stream.on('data', (part: Buffer) => parts.push(part))
  stream.on('close', () => read(Buffer.concat(parts).toString('latin1')))
}
