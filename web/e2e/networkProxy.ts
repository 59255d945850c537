import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/**
 * A proxy between the browser and the server, at its own address. It can cut the network, for workers too.
 */
export type NetworkProxy = {
  url: string
  /** Closes all connections, and accepts no new ones. */
  cut: () => Promise<void>
  restore: () => Promise<void>
  /** From now on, serves a newer version of the app. */
  release: () => void
  close: () => Promise<void>
}

/** The entry script in the service worker's precache list. */
const ENTRY = /\{"revision":null,"url":"assets\/start-[^"]+\.js"\},/

export async function startNetworkProxy(target: string): Promise<NetworkProxy> {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  let isNewer = false
  const pass = (incoming: IncomingMessage, response: ServerResponse) => {
    const isWorker = incoming.url === '/sw.js'
    const headers = { ...incoming.headers }
    if (isWorker) {
      delete headers['accept-encoding']
      delete headers['if-none-match']
    }
    const onward = request(
      { hostname, port, path: incoming.url, method: incoming.method, headers, agent: false },
      upstream => {
        if (!isWorker) {
          response.writeHead(upstream.statusCode ?? 502, upstream.rawHeaders)
          upstream.pipe(response)
          return
        }
        response.writeHead(upstream.statusCode ?? 502, { 'content-type': 'text/javascript' })
        let script = ''
        upstream.setEncoding('utf8').on('data', piece => {
          script += piece
        })
        // A new version of the worker, whose precache list lacks the entry script of the open page.
        upstream.on('end', () => response.end(isNewer ? script.replace(ENTRY, '') : script))
      },
    )
    onward.on('error', () => response.destroy())
    incoming.pipe(onward)
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
    restore: () => listen(own),
    release: () => {
      isNewer = true
    },
    close: () => (server.listening ? cut() : Promise.resolve()),
  }
}
