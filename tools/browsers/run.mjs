/** Runs the main story in Firefox and in WebKit, on the demo. `make e2e-browsers` */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFirefox } from './firefox.mjs'
import { demo } from './program.mjs'
import { startWebKit } from './webkit.mjs'

const WAIT_MS = 60_000
const ROWS = 100_000

const until = async (what, work) => {
  const end = Date.now() + WAIT_MS
  for (;;) {
    // Elements are replaced while a page renders.
    let failure = ''
    const value = await Promise.resolve(work()).catch(error => {
      failure = `: ${error.message}`
    })
    if (value) return value
    if (Date.now() > end) throw new Error(`not found: ${what}${failure}`)
    await new Promise(done => setTimeout(done, 100))
  }
}

/** Writes a CSV file whose row 500 has an invalid e-mail address, and returns its path. */
function bigFile() {
  const lines = ['Name;E-post;Telefon;Stad']
  for (let row = 2; row <= ROWS + 1; row++) {
    lines.push(`Bulk Person ${row};${row === 500 ? 'broken' : `${row}@bulk.example`};+46 70 ${row};Malmö`)
  }
  const path = join(mkdtempSync(join(tmpdir(), 'forecourt-file-')), 'bulk.csv')
  writeFileSync(path, lines.join('\r\n'))
  return path
}

async function story(browser, server) {
  const see = (text, isPart = true) => until(text, () => browser.find('text', text, isPart))
  const click = async (kind, name, isPart = false) => {
    await until(`${kind} ${name}`, async () => {
      const element = await browser.find(kind, name, isPart)
      if (!element) return false
      await browser.click(element)
      return true
    })
  }
  const fill = async (name, text) => {
    const field = await until(`field ${name}`, () => browser.find('field', name, false))
    await browser.type(field, text)
  }
  const step = async (name, work) => {
    const begun = Date.now()
    await work()
    console.log(`  ${name}: ${((Date.now() - begun) / 1000).toFixed(1)} s`)
  }

  await step('sign in', async () => {
    await browser.goTo(`${server.address}/login`)
    await fill('Email', 'admin@nordbil.example')
    await fill('Password', 'demo-password')
    await click('button', 'Sign in')
    await until('the code page', async () => (await browser.evaluate('location.pathname')) === '/otp')
    const code = await until('a mailed code', () => server.code())
    const field = await until('the code field', () => browser.find('field', 'Verification code', true))
    await browser.type(field, code)
    await see('Manage your dashboard')
  })
  await step(`read and check ${ROWS} rows`, async () => {
    await browser.goTo(`${server.address}/dashboard/contacts/imports/new`)
    const field = await until('the file field', () => browser.find('field', 'Contacts file', true))
    await browser.upload(field, bigFile())
    await until('Next is enabled', () =>
      browser.evaluate(`[...document.querySelectorAll('button')].some(b => b.textContent.trim() === 'Next' && !b.disabled && b.ariaDisabled !== 'true')`),
    )
    await click('button', 'Next')
    await see('99,999 will be imported, 1 will not')
  })
  await step('correct a cell', async () => {
    await click('button', 'Correct “broken” in row 500, E-post')
    const cell = await until('the cell', () => browser.find('field', 'New value for row 500, E-post', true))
    await browser.type(cell, 'corrected@bulk.example')
    await browser.press('Enter')
    await see('100,000 will be imported')
  })
  await step(`import ${ROWS} rows`, async () => {
    await click('button', 'Import Contacts')
    await see('Import completed successfully!')
  })
  await step('edit a customer', async () => {
    await browser.goTo(`${server.address}/dashboard/customers`)
    await until('a customer', () => browser.evaluate(`document.querySelector('a[href^="/dashboard/customers/0"]')?.href`))
    await browser.goTo(await browser.evaluate(`document.querySelector('a[href^="/dashboard/customers/0"]').href`))
    await click('button', 'Edit', true)
    await fill('Address', ' 4 B')
    await click('button', 'Save changes')
    await see('updated successfully')
  })
  await step('go offline and back', async () => {
    await server.stop()
    await click('link', 'Invoices')
    await see("You're offline.")
    await server.start()
    await until('the invoices', () => browser.find('button', 'Create New Invoice', false))
  })
  if (browser.errors.length > 0) throw new Error(`errors in the page: ${browser.errors.join('; ')}`)
}

const engines = { firefox: startFirefox, webkit: startWebKit }
const chosen = process.argv.slice(2)
for (const name of chosen.length > 0 ? chosen : Object.keys(engines)) {
  const server = demo(process.env.FORECOURT)
  await server.start()
  const browser = await engines[name]()
  console.log(browser.name)
  try {
    await story(browser, server)
  } catch (error) {
    console.error(await browser.evaluate('document.body.innerText').catch(() => ''))
    throw error
  } finally {
    await browser.stop()
    await server.stop()
  }
}
