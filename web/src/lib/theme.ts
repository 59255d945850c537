import { useSyncExternalStore } from 'react'
import { core, loadCore, type ThemeInput } from '~/core'
import { textOf } from '~/language'
import { createEmitter } from './emitter'
import { once } from './once'
import { toCustomProperties } from './shades'

export type Scheme = 'light' | 'dark' | 'system'

// Storage keys. public/theme.js reads the scheme and the shades before the first paint.
const SCHEME = 'colorScheme'
const SHADES = 'shades'
const COLOR = 'primaryColor'

const deviceIsDark = matchMedia('(prefers-color-scheme: dark)')
const { subscribe, notify } = createEmitter()

function scheme(): Scheme {
  const stored = localStorage.getItem(SCHEME)
  return stored === 'light' || stored === 'dark' ? stored : 'system'
}

/**
 * Applies the stored colour scheme and the stored accent's shades through the CSSOM, which the content security policy allows. The
 * accent belongs to the signed-in user and is forgotten after sign-out, so that it doesn't appear on the login page.
 */
export async function applyStoredTheme() {
  const core = await loadCore()
  if (!core.hasSession() && !core.hasOtherSession()) localStorage.removeItem(COLOR)
  const color = localStorage.getItem(COLOR) ?? core.defaultColor()
  const shades = {
    light: toCustomProperties(core.shades(color, false)),
    dark: toCustomProperties(core.shades(color, true)),
  }
  localStorage.setItem(SHADES, JSON.stringify(shades))
  const chosen = scheme()
  const mode = chosen === 'system' ? (deviceIsDark.matches ? 'dark' : 'light') : chosen
  const root = document.documentElement
  root.dataset.mode = mode
  const supported = document.querySelector<HTMLMetaElement>('meta[name="color-scheme"]')
  if (supported) supported.content = mode
  for (const [name, value] of Object.entries(shades[mode])) root.style.setProperty(name, value)
  // The browser's toolbar gets the colour of the app's top bar.
  const card = getComputedStyle(root).getPropertyValue('--card')
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'))
    meta.content = card
  notify()
}

/** Applies the theme now, and again when the device's setting or another tab changes it. */
export function startTheme() {
  deviceIsDark.addEventListener('change', () => void applyStoredTheme())
  addEventListener('storage', event => {
    if (event.key === SCHEME || event.key === COLOR) void applyStoredTheme()
  })
  return applyStoredTheme()
}

export function setScheme(chosen: Scheme) {
  localStorage.setItem(SCHEME, chosen)
  return applyStoredTheme()
}

/** Sets the accent colour in all tabs of this browser, until the user signs out. */
export function setAccentColor(color: string) {
  localStorage.setItem(COLOR, color)
  return applyStoredTheme()
}

let lastSave: Promise<unknown> = Promise.resolve()

/** Saves an accent colour on the server, after those that are still being saved, so that the last choice wins. */
export function saveAccentColor(input: ThemeInput) {
  const save = lastSave.then(() => core.setTheme(input))
  lastSave = save.catch(() => undefined)
  return save
}

export const useScheme = () => useSyncExternalStore(subscribe, scheme)

/** Returns the stored accent colour; empty if none is stored, as before the user's profile has loaded. */
export const useAccentColor = () => useSyncExternalStore(subscribe, () => localStorage.getItem(COLOR) ?? '')

/** The accent colours to choose from, with their names in the app's language. */
export const themeColors = once(() =>
  core.themeColors().map(({ name, color }) => ({ name: textOf(name), color })),
)
