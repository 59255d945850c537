const KEY = 'deviceId'

/** Returns this browser's random id, which identifies a trusted device. */
export function deviceId(): string {
  const known = localStorage.getItem(KEY)
  if (known) return known
  // `crypto.randomUUID` is only available in secure contexts.
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const made = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('')
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

/** Returns a name such as "Firefox on Windows", guessed from the user agent, for the user's device list. */
export function deviceName(agent: string = navigator.userAgent): string {
  return `${first(agent, browsers) ?? 'Browser'} on ${first(agent, systems) ?? 'an unknown system'}`
}
