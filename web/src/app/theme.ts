import { useSyncExternalStore } from 'react'
import { loadCore } from '~/core'
import { asProperties } from './shades'

/** Light, dark, or as the device has it. */
export type Scheme = 'light' | 'dark' | 'system'

// public/theme.js reads the first two before the first paint.
const SCHEME = 'colorScheme'
const SHADES = 'shades'
const COLOR = 'primaryColor'

const deviceIsDark = matchMedia('(prefers-color-scheme: dark)')
const listeners = new Set<() => void>()

function scheme(): Scheme {
  const kept = localStorage.getItem(SCHEME)
  return kept === 'light' || kept === 'dark' ? kept : 'system'
}

/** Puts the scheme and the accent's shades on the page; through the CSSOM, so that the content security policy holds. */
async function apply() {
  const core = await loadCore()
  const color = localStorage.getItem(COLOR) ?? core.defaultColor()
  const shades = {
    light: asProperties(core.shades(color, false)),
    dark: asProperties(core.shades(color, true)),
  }
  localStorage.setItem(SHADES, JSON.stringify(shades))
  const chosen = scheme()
  const mode = chosen === 'system' ? (deviceIsDark.matches ? 'dark' : 'light') : chosen
  const root = document.documentElement
  root.dataset.mode = mode
  for (const [name, value] of Object.entries(shades[mode])) root.style.setProperty(name, value)
  for (const changed of listeners) changed()
}

/** Applies the theme now, and again whenever the device or another tab changes it. */
export function startTheme() {
  deviceIsDark.addEventListener('change', () => void apply())
  addEventListener('storage', event => {
    if (event.key === SCHEME || event.key === COLOR) void apply()
  })
  return apply()
}

export function chooseScheme(chosen: Scheme) {
  localStorage.setItem(SCHEME, chosen)
  return apply()
}

const subscribe = (changed: () => void) => {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

export const useScheme = () => useSyncExternalStore(subscribe, scheme)
