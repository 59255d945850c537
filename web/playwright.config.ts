import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import { chromium } from './chromium.ts'
import { program } from './program.ts'

const listen = process.env.E2E_LISTEN ?? '127.0.0.1:18080'
/**
 * The server's own address. Browsers use the proxy at `listen`, which searches responses for social security numbers.
 */
const server = process.env.E2E_SERVER ?? '127.0.0.1:18081'
/** The address of the tests' OpenID Connect provider, which is on another site than the app. */
const issuer = process.env.E2E_ISSUER ?? 'http://localhost:18090'
const [client, secret] = ['forecourt-e2e', 'only for tests']
// The server's data directory, from which the tests read mails. An environment variable, because each worker process
// evaluates this file again and must use the same directory.
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), 'forecourt-e2e-'))

const log = join(process.env.E2E_DATA_DIR, 'server.log')

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './disclosures.ts',
  metadata: { listen, server, log },
  // Long timeouts, for busy machines.
  timeout: 90_000,
  expect: { timeout: 15_000 },
  fullyParallel: true,
  forbidOnly: true,
  workers: 2,
  // A failed test runs once more, because a busy browser can lose a key press or click. A real failure fails again.
  retries: 1,
  reporter: [['list']],
  use: {
    baseURL: `http://${listen}`,
    viewport: { width: 1280, height: 800 },
    locale: 'en-GB',
    // Only the tests of the service worker allow it. In all others it would download the whole app.
    serviceWorkers: 'block',
    // Recorded only in the retry, because recording traces takes a third of the test time.
    trace: 'on-first-retry',
    launchOptions: chromium,
  },
  projects: [
    { name: 'sign in', testMatch: /sessions\.setup\.ts/ },
    // These tests start first, because they run one after the other: at the end they would keep one worker busy while
    // the others are idle.
    { name: 'scripts', testMatch: /scripts\.spec\.ts/, dependencies: ['sign in'] },
    {
      name: 'stories',
      testMatch: /.*\.spec\.ts/,
      testIgnore: /scripts\.spec\.ts/,
      dependencies: ['sign in'],
    },
  ],
  webServer: [
    {
      command: `exec ${program} demo 2> ${log}`,
      url: `http://${server}/api/health`,
      env: {
        FORECOURT_LISTEN: server,
        FORECOURT_PUBLIC_URL: `http://${listen}`,
        FORECOURT_DATA_DIR: process.env.E2E_DATA_DIR,
        FORECOURT_LOG: 'trace',
        FORECOURT_OIDC_ISSUER: issuer,
        FORECOURT_OIDC_NAME: 'Example ID',
        FORECOURT_OIDC_CLIENT_ID: client,
        FORECOURT_OIDC_CLIENT_SECRET: secret,
      },
      reuseExistingServer: false,
      timeout: 60_000,
    },
    {
      command: 'node e2e/provider.mjs',
      url: `${issuer}/.well-known/openid-configuration`,
      env: {
        E2E_ISSUER: issuer,
        E2E_CLIENT: client,
        E2E_SECRET: secret,
        E2E_PUBLIC_URL: `http://${listen}`,
      },
      reuseExistingServer: false,
      timeout: 60_000,
    },
  ],
})
