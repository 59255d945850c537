import { existsSync } from 'node:fs'

const places = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome']

/** The Chromium that the tests drive: the one that `CHROMIUM` names, else the system's, the quicker one first. */
export const chromium = {
  executablePath: process.env.CHROMIUM ?? places.find(place => existsSync(place)) ?? places[0],
  // As root, which a container often is, Chromium has no sandbox.
  args: ['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--font-render-hinting=none'],
}
