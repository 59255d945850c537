import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Browser, expect, type Page } from '@playwright/test'
import { poll } from './poll'

/** The e-mail addresses of the demo's users that the tests sign in with. */
export const accounts = {
  admin: 'admin@nordbil.example',
  clerk: 'clerk@nordbil.example',
  sales: 'sales@nordbil.example',
  /** A test resets this user's password, so no other test may sign in as this user. */
  weser: 'admin@weser.example',
  /** A test bans this user, so no other test may sign in as this user. */
  banned: 'sales@weser.example',
  /**
   * Tests change this user's language, which applies to all sessions of the user, so no other test may sign in as this
   * user.
   */
  swede: 'export@weser.example',
  kestrel: 'admin@kestrel.example',
  /** The tests of Settings change this user's profile, so no other test may sign in as this user. */
  broker: 'broker@kestrel.example',
  /** The tests of Settings delete this user. */
  trainee: 'trainee@kestrel.example',
  platform: 'super@forecourt.example',
} as const

export const PASSWORD = 'demo-password'

/** The users whose sessions are stored, so that tests need not sign in. */
export const sharedUsers = ['admin', 'broker', 'clerk', 'platform', 'swede'] as const
export type SharedUser = (typeof sharedUsers)[number]

/** Returns the path of the stored session of a user. */
export const sessionOf = (who: SharedUser) => join(process.env.E2E_DATA_DIR ?? '', `session-${who}.json`)

function mailsTo(email: string): string[] {
  const outbox = join(process.env.E2E_DATA_DIR ?? '', 'outbox')
  let names: string[] = []
  try {
    names = readdirSync(outbox)
  } catch {
    // The folder doesn't exist, because no mail has been written yet.
  }
  return names
    .filter(name => name.endsWith('.eml'))
    .sort()
    .map(name => readFileSync(join(outbox, name), 'utf8'))
    .filter(mail => mail.includes(email))
}

const codesTo = (email: string) =>
  mailsTo(email).flatMap(
    mail =>
      /^\s*(\d{6})\s*$/m.exec(
        mail
          .split(/\r?\n\r?\n/)
          .slice(1)
          .join('\n\n'),
      )?.[1] ?? [],
  )

/** Fills in and submits the login form. */
export async function login(page: Page, email: string, password = PASSWORD) {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Returns whether the process that created the lock file has ended. */
function isStale(lock: string): boolean {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/**
 * Creates the lock file, and returns whether it did. Removes a lock file whose process has ended, so that a retry
 * succeeds.
 */
function createLock(lock: string): true | undefined {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (isStale(lock)) rmSync(lock, { force: true })
    return undefined
  }
}

/** Runs an action while no other test runs one under this name. `waiting` says what it waits for until then. */
export async function withLock<T>(name: string, waiting: string, action: () => Promise<T>): Promise<T> {
  const lock = join(process.env.E2E_DATA_DIR ?? '', name)
  await poll(waiting, () => createLock(lock))
  try {
    return await action()
  } finally {
    rmSync(lock, { force: true })
  }
}

/**
 * Runs an action that mails a sign-in code to this address, and returns the code. A lock prevents other tests from
 * doing so for the same user at the same time, because a mail doesn't say which sign-in its code is for.
 */
export const mailedCode = (email: string, doIt: () => Promise<unknown>): Promise<string> =>
  withLock(`code-to-${email}`, `no other test waits for a code to ${email}`, async () => {
    const before = codesTo(email).length
    await doIt()
    await expect.poll(() => codesTo(email).length, 'codes mailed').toBeGreaterThan(before)
    return codesTo(email).at(-1) ?? ''
  })

/** Types the code on the code page. The sixth digit submits it. */
export async function typeCode(page: Page, code: string) {
  await expect(page.getByRole('textbox', { name: 'Verification code' })).toBeFocused()
  await page.keyboard.type(code)
}

/** Signs in on the login page, with the password and the mailed code. */
export async function signIn(page: Page, email: string) {
  const code = await mailedCode(email, async () => {
    await login(page, email)
    await expect(page).toHaveURL(/\/otp$/)
  })
  await typeCode(page, code)
  await expect(page).toHaveURL(/\/dashboard/)
}

/** Opens a new browser context, signs in as this user, and returns the page. */
export async function signInInNewBrowser(browser: Browser, baseURL: string | undefined, email: string) {
  const context = await browser.newContext({ baseURL, storageState: { cookies: [], origins: [] } })
  const page = await context.newPage()
  await page.goto('/login')
  await signIn(page, email)
  return page
}
