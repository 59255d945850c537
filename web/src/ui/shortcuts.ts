import { useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react'

/** A single-key shortcut, active while its component is mounted. */
type Shortcut = {
  key: string
  /** A description of what the key does, in the words of the button or field that does the same. */
  name: string
  /** Whether the shortcut works on all pages. A shortcut of the current page with the same key takes precedence. */
  isEverywhere: boolean
  run: () => void
}

const OFF = 'singleKeysOff'

let registered: readonly Shortcut[] = []
const listeners = new Set<() => void>()

function notify() {
  for (const changed of listeners) changed()
}

const subscribe = (changed: () => void) => {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

const areEnabled = () => localStorage.getItem(OFF) === null

/** Returns whether single-key shortcuts are enabled on this device (WCAG 2.1.4 requires an off switch). */
export const useSingleKeysEnabled = () => useSyncExternalStore(subscribe, areEnabled)

export function setSingleKeysEnabled(on: boolean) {
  if (on) localStorage.removeItem(OFF)
  else localStorage.setItem(OFF, '')
  notify()
}

/** Returns the shortcut that is active for `key`; undefined if there is none. */
export function findShortcut(key: string): Shortcut | undefined {
  const all = registered.filter(shortcut => shortcut.key === key)
  return all.findLast(shortcut => !shortcut.isEverywhere) ?? all.at(-1)
}

/** Returns all active shortcuts, one per key. */
export function useShortcuts(): Shortcut[] {
  const all = useSyncExternalStore(subscribe, () => registered)
  const keys = new Set(all.map(({ key }) => key))
  return [...keys].flatMap(key => findShortcut(key) ?? [])
}

/** CSS selector of open dialogs, without those that are closed and only fading out. */
const DIALOG = '[role="dialog"]:not([data-closed]), [role="alertdialog"]:not([data-closed])'

export const openDialogs = () => document.querySelectorAll<HTMLElement>(DIALOG)

export const isDialogOpen = () => openDialogs().length > 0

const TEXT_FIELDS = 'input:not([type="checkbox"], [type="radio"]), textarea, [contenteditable="true"]'
// CSS selector of elements in which a letter key is input, or selects an option that begins with it.
const TAKES_LETTERS = `${TEXT_FIELDS}, select, [role="combobox"], [role="listbox"], [role="menu"]`

const isIn = (target: EventTarget | null, elements: string) =>
  target instanceof Element && target.closest(elements) !== null

/** Returns whether a key is pressed in a text field, which has its own undo. */
export const isInTextField = ({ target }: KeyboardEvent) => isIn(target, TEXT_FIELDS)

function onKey(event: KeyboardEvent) {
  if (event.defaultPrevented || event.repeat || event.isComposing) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  // With Shift, the key counts as typed, because some keyboards need Shift for `/` or `?`. Caps Lock makes no
  // difference.
  const shortcut = findShortcut(event.shiftKey ? event.key : event.key.toLowerCase())
  if (!shortcut || !areEnabled() || isDialogOpen()) return
  if (isIn(event.target, TAKES_LETTERS)) return
  event.preventDefault()
  shortcut.run()
}

function add(shortcut: Shortcut) {
  if (registered.length === 0) document.addEventListener('keydown', onKey)
  registered = [...registered, shortcut]
  notify()
  return () => {
    registered = registered.filter(other => other !== shortcut)
    if (registered.length === 0) document.removeEventListener('keydown', onKey)
    notify()
  }
}

/**
 * Registers a single-key shortcut. It does nothing while the user types, a dialog is open, or single keys are
 * disabled. Returns the value for the `aria-keyshortcuts` attribute of the control that does the same.
 */
export function useShortcut(key: string, name: string, run: () => void, isEverywhere = false) {
  const runLatest = useEffectEvent(run)
  // A layout effect, so that the shortcut works as soon as its control is visible.
  useLayoutEffect(() => add({ key, name, isEverywhere, run: () => runLatest() }), [key, name, isEverywhere])
  return useSingleKeysEnabled() ? key : undefined
}
