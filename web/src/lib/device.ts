import { t } from '@lingui/core/macro'
import { randomId } from './randomId'

const KEY = 'deviceId'

/** Returns this browser's random id, which identifies a trusted device. */
export function deviceId(): string {
  const known = localStorage.getItem(KEY)
  if (known) return known
  const made = randomId()
  localStorage.setItem(KEY, made)
  return made
}

const first = (agent: string, names: readonly (readonly [RegExp, string])[]) =>
  names.find(([pattern]) => pattern.test(agent))?.[1]

// Order matters: most browsers also claim to be Chrome or Safari.
const browsers = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|Chromium|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
] as const
const systems = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
] as const

const BROWSER = 'Browser'
const SYSTEM = 'an unknown system'

/**
 * Returns a name such as "Firefox on Windows", guessed from the user agent, for the history. It is in
 * English, because users with different languages read it (see `translateDevice`).
 */
export function deviceName(agent: string = navigator.userAgent): string {
  return `${first(agent, browsers) ?? BROWSER} on ${first(agent, systems) ?? SYSTEM}`
}

/** Returns a name from `deviceName` in the app's language. Other names are returned unchanged. */
export function translateDevice(name: string): string {
  const [browser = '', system = ''] = name.split(' on ')
  const isKnown =
    name === `${browser} on ${system}` &&
    (browser === BROWSER || browsers.some(([, known]) => known === browser)) &&
    (system === SYSTEM || systems.some(([, known]) => known === system))
  if (!isKnown) return name
  const browserName = browser === BROWSER ? t`Browser` : browser
  const systemName = system === SYSTEM ? t`an unknown system` : system
  return t`${browserName} on ${systemName}`
}
