import { find } from './find.mjs'

/** Starts Firefox, which is controlled by WebDriver BiDi. */
export async function startFirefox() {
  const { default: puppeteer } = await import('puppeteer-core')
  const firefox = await puppeteer.launch({
    browser: 'firefox',
    executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
    headless: true,
  })
  const page = await firefox.newPage()
  await page.setViewport({ width: 1280, height: 900 })
  const errors = []
  page.on('pageerror', error => errors.push(error.message))
  return {
    name: await firefox.version(),
    errors,
    goTo: address => page.goto(address),
    async find(kind, name, isPart) {
      const handle = await page.evaluateHandle(find, kind, name, isPart)
      return handle.asElement() ?? undefined
    },
    click: element => element.click(),
    type: (element, text) => element.type(text),
    press: key => page.keyboard.press(key),
    upload: (element, path) => element.uploadFile(path),
    evaluate: expression => page.evaluate(expression),
    stop: () => firefox.close(),
  }
}
