// A real mail server for the server's tests: npm's smtp-server, with a real mail parser. Its argument contains options and
// settings as one JSON object. It reports events as JSON lines on standard output: its port, each mail, and `{}` after new
// settings. Each JSON line on standard input replaces all settings, but no option. It ends when its input is closed, so that
// no test leaves a process behind.
//
// Options: `port` (any free one if absent); `tls`: "implicit", or "upgrade" for STARTTLS, no TLS if absent; `certificate` and
// `key`, the paths of PEM files; `user` and `password`, which clients must then use.
//
// Settings: `connect`, `recipient` and `data` are error responses ("550 5.1.1 No such mailbox") to a connection, a
// recipient or a whole mail; `breakOff` closes the connection after a mail was received, without a response; `hold`
// delays the responses to mails until the next settings.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

// Both packages are dependencies of the web app's tools.
const require = createRequire(new URL('../../web/package.json', import.meta.url))
const { SMTPServer } = require('smtp-server')
const PostalMime = require('postal-mime')

const { port = 0, tls, certificate, key, user, password, ...first } = JSON.parse(process.argv[2])
let settings = first
const held = []

const report = event => process.stdout.write(`${JSON.stringify(event)}\n`)

function refusal(line) {
  if (!line) return null
  return Object.assign(new Error(line.slice(4)), { responseCode: Number(line.slice(0, 3)) })
}

async function read(stream) {
  const chunks = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function onData(stream, session, answer) {
  const raw = await read(stream)
  const mail = await PostalMime.parse(raw)
  report({
    raw: raw.toString('latin1'),
    recipients: session.envelope.rcptTo.map(to => to.address),
    secure: session.secure,
    user: session.user ?? '',
    headers: mail.headers.map(header => header.key),
    types: mail.headers.find(header => header.key === 'content-type').value,
    from: mail.from,
    to: mail.to,
    subject: mail.subject,
    date: mail.date,
    id: mail.messageId,
    text: mail.text,
    html: mail.html,
  })
  if (settings.breakOff) {
    for (const connection of server.connections) {
      if (connection.session.id === session.id) connection._socket.destroy()
    }
  } else if (settings.hold) {
    held.push(answer)
  } else {
    answer(refusal(settings.data))
  }
}

const server = new SMTPServer({
  authOptional: !user,
  // The tests may send a password without TLS.
  allowInsecureAuth: true,
  secure: tls === 'implicit',
  disabledCommands: tls === 'upgrade' ? [] : ['STARTTLS'],
  ...(certificate && { cert: readFileSync(certificate), key: readFileSync(key) }),
  onAuth: (given, _, answer) =>
    given.username === user && given.password === password
      ? answer(null, { user })
      : answer(refusal(`535 5.7.8 Wrong password ${given.password}`)),
  onConnect: (_, answer) => answer(refusal(settings.connect)),
  onRcptTo: (_, __, answer) => answer(refusal(settings.recipient)),
  onData,
})
// Ignore errors of connections: some tests close one before the response to a mail, or during the TLS handshake.
server.on('error', () => {})
server.listen(port, '127.0.0.1', () => report({ port: server.server.address().port }))

const lines = createInterface({ input: process.stdin })
lines.on('line', line => {
  settings = JSON.parse(line)
  for (const answer of held.splice(0)) answer(refusal(settings.data))
  report({})
})
lines.on('close', () => process.exit())
