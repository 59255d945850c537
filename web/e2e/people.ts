import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { until } from './until'

/** The demo's accounts that the stories use. */
export const people = {
  admin: 'admin@nordbil.example',
  clerk: 'clerk@nordbil.example',
  sales: 'sales@nordbil.example',
  /** Gets a new password in the story of resetting it, so nobody else signs in as them. */
  weser: 'admin@weser.example',
  /** Gets banned in the story of bans, so nobody else signs in as them. */
  banned: 'sales@weser.example',
  /** Chooses a language in the stories of languages, which goes wherever they sign in, so nobody else signs in as them. */
  swede: 'export@weser.example',
  kestrel: 'admin@kestrel.example',
  /** Changes everything about themselves in the stories of settings, so nobody else signs in as them. */
  broker: 'broker@kestrel.example',
  /** Ends their account in the stories of settings. */
  trainee: 'trainee@kestrel.example',
  platform: 'super@forecourt.example',
} as const

export const PASSWORD = 'demo-password'

/** Where the session of somebody who is signed in already is kept between stories. */
export const sessionOf = (who: 'admin' | 'broker' | 'clerk' | 'platform' | 'swede') =>
  join(process.env.E2E_DATA_DIR ?? '', `session-${who}.json`)

function mailsTo(email: string): string[] {
  const outbox = join(process.env.E2E_DATA_DIR ?? '', 'outbox')
  let names: string[] = []
  try {
    names = readdirSync(outbox)
  } catch {
    // No mail has been written yet.
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

/** Fills the login form. */
export async function login(page: Page, email: string, password = PASSWORD) {
  await page.getByLabel('Email', { exact: true }).fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Has the worker ended that took this? */
function isLeft(lock: string): boolean {
  try {
    process.kill(Number(readFileSync(lock, 'utf8')), 0)
    return false
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH'
  }
}

/** Takes this, unless another worker holds it. */
function taken(lock: string): true | undefined {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' })
    return true
  } catch {
    if (isLeft(lock)) rmSync(lock, { force: true })
    return undefined
  }
}

/**
 * Does something that mails a code, and waits for it. Nobody else does so for this person meanwhile: stories share people,
 * and a mail doesn't say whose sign-in its code is for.
 */
export async function mailedCode(email: string, doIt: () => Promise<unknown>): Promise<string> {
  const lock = join(process.env.E2E_DATA_DIR ?? '', `code-to-${email}`)
  await until(`codes to ${email} are left to this story`, () => taken(lock))
  try {
    const before = codesTo(email).length
    await doIt()
    await expect.poll(() => codesTo(email).length, 'codes mailed').toBeGreaterThan(before)
    return codesTo(email).at(-1) ?? ''
  } finally {
    rmSync(lock, { force: true })
  }
}

/** Types the code. The sixth digit submits it. */
export async function typeCode(page: Page, code: string) {
  await expect(page.getByRole('textbox', { name: 'Verification code' })).toBeFocused()
  await page.keyboard.type(code)
}

/** Signs in all the way. */
export async function signIn(page: Page, email: string) {
  const code = await mailedCode(email, async () => {
    await login(page, email)
    await expect(page).toHaveURL(/\/otp$/)
  })
  await typeCode(page, code)
  await expect(page).toHaveURL(/\/dashboard/)
}
