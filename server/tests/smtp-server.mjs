// A real mail server for the server's tests: npm's smtp-server, whose mails a real parser reads. It is set up by its
// argument, tells what happens in lines of JSON on standard output, and does from then on what a line of JSON on
// standard input says. It ends together with its input, so no test leaves one behind.
//
// What it can be told: `connect`, `recipient` and `data` are the refusals ("550 5.1.1 No such mailbox") that a
// connection, a recipient or a whole mail is answered with; `breakOff` ends the connection once a mail is there, instead
// of an answer; `hold` keeps every answer to a mail back until it is told something else.

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createInterface } from 'node:readline'

// Both are installed with the web app's tools.
const require = createRequire(new URL('../../web/package.json', import.meta.url))
const { SMTPServer } = require('smtp-server')
const PostalMime = require('postal-mime')

const { port = 0, tls, certificate, key, user, password, ...first } = JSON.parse(process.argv[2])
let told = first
const held = []

const tell = event => process.stdout.write(`${JSON.stringify(event)}\n`)

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
  tell({
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
  if (told.breakOff) {
    for (const connection of server.connections) {
      if (connection.session.id === session.id) connection._socket.destroy()
    }
  } else if (told.hold) {
    held.push(answer)
  } else {
    answer(refusal(told.data))
  }
}

const server = new SMTPServer({
  authOptional: !user,
  // A password in the clear is for tests alone.
  allowInsecureAuth: true,
  secure: tls === 'implicit',
  disabledCommands: tls === 'upgrade' ? [] : ['STARTTLS'],
  ...(certificate && { cert: readFileSync(certificate), key: readFileSync(key) }),
  onAuth: (given, _, answer) =>
    given.username === user && given.password === password
      ? answer(null, { user })
      : answer(refusal(`535 5.7.8 Wrong password ${given.password}`)),
  onConnect: (_, answer) => answer(refusal(told.connect)),
  onRcptTo: (_, __, answer) => answer(refusal(told.recipient)),
  onData,
})
// A client that breaks off is what some tests are about.
server.on('error', () => {})
server.listen(port, '127.0.0.1', () => tell({ port: server.server.address().port }))

const lines = createInterface({ input: process.stdin })
lines.on('line', line => {
  told = JSON.parse(line)
  for (const answer of held.splice(0)) answer(refusal(told.data))
  tell({})
})
lines.on('close', () => process.exit())
