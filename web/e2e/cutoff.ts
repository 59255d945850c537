import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/** What stands between a story and the server, at an address of its own: a network that can be cut, for workers too. */
export type Network = {
  url: string
  /** Nobody is reached any more. */
  cut: () => Promise<void>
  mend: () => Promise<void>
  /** The server has a newer version of the app from now on. */
  release: () => void
  close: () => Promise<void>
}

/** The program of the page, among what the service worker keeps. */
const ENTRY = /\{"revision":null,"url":"assets\/start-[^"]+\.js"\},/

export async function network(target: string): Promise<Network> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isNewer = false
  const pass = (asked: IncomingMessage, answer: ServerResponse) => {
    const isWorker = asked.url === '/sw.js'
    const headers = { ...asked.headers }
    if (isWorker) {
      delete headers['accept-encoding']
      delete headers['if-none-match']
    }
    const onward = request(
      { hostname, port, path: asked.url, method: asked.method, headers, agent: false },
      come => {
        if (!isWorker) {
          answer.writeHead(come.statusCode ?? 502, come.rawHeaders)
          come.pipe(answer)
          return
        }
        answer.writeHead(come.statusCode ?? 502, { 'content-type': 'text/javascript' })
        let script = ''
        come.setEncoding('utf8').on('data', piece => {
          script += piece
        })
        // Another worker, of another version: it doesn't know the program of the page that is open.
        come.on('end', () => answer.end(isNewer ? script.replace(ENTRY, '') : script))
      },
    )
    onward.on('error', () => answer.destroy())
    asked.pipe(onward)
  }
  const server: Server = createServer(pass)
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  const listen = (at: number) => new Promise<void>(done => server.listen(at, '127.0.0.1', done))
  const cut = () =>
    new Promise<void>(done => {
      server.close(() => done())
      for (const socket of sockets) socket.destroy()
    })
  await listen(0)
  const { port: own } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${own}`,
    cut,
    mend: () => listen(own),
    release: () => {
      isNewer = true
    },
    close: () => (server.listening ? cut() : Promise.resolve()),
  }
}
