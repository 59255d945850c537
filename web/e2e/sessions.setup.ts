import { sharedUsers } from './accounts'
import { storeSession } from './sessions'
import { test } from './test'

for (const who of sharedUsers) {
  test(`${who} signs in once for all tests`, async ({ browser, baseURL }) => {
    await storeSession(browser, baseURL, who)
  })
}
