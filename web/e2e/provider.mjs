// An OpenID Connect provider for the tests (npm oidc-provider), with a page on which the user enters any
// identity without a password.

import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import Provider from 'oidc-provider'

const issuer = new URL(process.env.E2E_ISSUER)
const scopes = 'openid email profile'
const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' })

const provider = new Provider(issuer.origin, {
  clients: [
    {
      client_id: process.env.E2E_CLIENT,
      client_secret: process.env.E2E_SECRET,
      redirect_uris: [`${process.env.E2E_PUBLIC_URL}/api/auth/google/callback`],
      grant_types: ['authorization_code'],
      response_types: ['code'],
    },
  ],
  claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
  cookies: { keys: ['only for tests'] },
  features: { devInteractions: { enabled: false } },
  findAccount: (_, id) => ({
    accountId: id,
    claims: () => ({ sub: id, email: id, email_verified: true, name: id }),
  }),
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  jwks: { keys: [{ ...key, alg: 'RS256', use: 'sig' }] },
  // Grants the client all scopes without asking the user for consent.
  loadExistingGrant: async ({ oidc }) => {
    const { accountId } = oidc.session
    const grant = new oidc.provider.Grant({ clientId: oidc.client.clientId, accountId })
    grant.addOIDCScope(scopes)
    await grant.save()
    return grant
  },
  pkce: { required: () => true },
  scopes: scopes.split(' '),
  ttl: { AccessToken: 300, AuthorizationCode: 60, Grant: 300, IdToken: 300, Interaction: 600, Session: 600 },
})

const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Provider</title>
<form method="post"><label>Who are you? <input name="login" autofocus></label>
<button name="answer" value="yes">Continue</button> <button name="answer" value="no">Cancel</button></form></html>`

async function interact(request, response) {
  if (request.method !== 'POST') return response.setHeader('content-type', 'text/html').end(page)
  let body = ''
  for await (const part of request) body += part
  const form = new URLSearchParams(body)
  const result =
    form.get('answer') === 'yes' ? { login: { accountId: form.get('login') } } : { error: 'access_denied' }
  return provider.interactionFinished(request, response, result)
}

const serve = provider.callback()
createServer((request, response) => {
  if (request.url === '/favicon.ico') return response.writeHead(204).end()
  return request.url.startsWith('/interaction/') ? interact(request, response) : serve(request, response)
}).listen(Number(issuer.port), '127.0.0.1')
