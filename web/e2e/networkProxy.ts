import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

/**
 * A proxy between the browser and the server, at an address of its own. It can cut the connection, also for service
 * workers.
 */
export type NetworkProxy = {
  url: string
  /** Closes all connections, and accepts no new ones. */
  cut: () => Promise<void>
  restore: () => Promise<void>
  /** From now on, the proxy serves a service worker of a newer version of the app. */
  release: () => void
  close: () => Promise<void>
}

/** Matches the entry script in the service worker's list of files to store. */
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
        // A newer service worker is simulated by removing the open page's entry script from its list of files.
        upstream.on('end', () => response.end(isNewer ? script.replace(ENTRY, '') : script))
      },
    )
    onward.on('error', () => response.destroy())
    // Otherwise the server keeps the stream of events of each page that was closed.
    response.on('close', () => onward.destroy())
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
