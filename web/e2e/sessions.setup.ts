import { accounts, sessionOf, signIn } from './accounts'
import { test } from './test'

for (const who of ['admin', 'broker', 'clerk', 'platform', 'swede'] as const) {
  test(`${who} signs in once for all tests`, async ({ page }) => {
    await page.goto('/login')
    await signIn(page, accounts[who])
    await page.context().storageState({ path: sessionOf(who) })
  })
}
