import { existsSync } from 'node:fs'

const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome']

/**
 * Launch options of the tests' Chromium: the program in `CHROMIUM`, else the system's headless shell, else its
 * Chromium.
 */
export const chromium = {
  executablePath: process.env.CHROMIUM ?? places.find(place => existsSync(place)) ?? places[0],
  // Chromium's sandbox doesn't work as root, for example in containers.
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--font-render-hinting=none'],
}
