import { existsSync } from 'node:fs'

const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome']

/** The Chromium used by the tests: `CHROMIUM`, or the system's, headless shell first. */
export const chromium = {
  executablePath: process.env.CHROMIUM ?? places.find(place => existsSync(place)) ?? places[0],
  // Chromium's sandbox doesn't work as root, for example in containers.
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--font-render-hinting=none'],
}
