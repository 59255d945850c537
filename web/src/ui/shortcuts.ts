import { useLayoutEffect, useRef, useSyncExternalStore } from 'react'

/** A single key that does something, as long as what it belongs to is on the screen. */
export type Shortcut = {
  key: string
  /** What it does, in the words of the button or box that does the same. */
  name: string
  /** It belongs to the whole app; one of the screen's own with the same key comes before it. */
  isEverywhere: boolean
  run: () => void
}

const OFF = 'singleKeysOff'

let present: readonly Shortcut[] = []
const listeners = new Set<() => void>()

function tell() {
  for (const changed of listeners) changed()
}

const subscribe = (changed: () => void) => {
  listeners.add(changed)
  return () => listeners.delete(changed)
}

const areOn = () => localStorage.getItem(OFF) === null

/** Do single keys do anything on this device? Whoever speaks to their machine, or hits keys by accident, turns them off. */
export const useSingleKeys = () => useSyncExternalStore(subscribe, areOn)

export function turnSingleKeys(on: boolean) {
  if (on) localStorage.removeItem(OFF)
  else localStorage.setItem(OFF, '')
  tell()
}

/** What the key does here and now. */
export function shortcutOf(key: string): Shortcut | undefined {
  const all = present.filter(shortcut => shortcut.key === key)
  return all.findLast(shortcut => !shortcut.isEverywhere) ?? all.at(-1)
}

/** Every key that does something here and now, once each. */
export function useShortcuts(): Shortcut[] {
  const all = useSyncExternalStore(subscribe, () => present)
  const keys = new Set(all.map(({ key }) => key))
  return [...keys].flatMap(key => shortcutOf(key) ?? [])
}

/** A dialog that is open; one that fades out has answered already. */
const DIALOG = '[role="dialog"]:not([data-closed]), [role="alertdialog"]:not([data-closed])'

export const isDialogOpen = () => document.querySelector(DIALOG) !== null

// Where a letter is text, or chooses something by its first letters.
const TAKES_LETTERS =
  'input:not([type="checkbox"], [type="radio"]), textarea, select, [contenteditable="true"], [role="combobox"], [role="listbox"], [role="menu"]'

function onKey(event: KeyboardEvent) {
  if (event.defaultPrevented || event.repeat || event.isComposing) return
  if (event.ctrlKey || event.metaKey || event.altKey) return
  // Shift makes the sign on some keyboards, and another letter on all; Caps Lock makes no difference.
  const shortcut = shortcutOf(event.shiftKey ? event.key : event.key.toLowerCase())
  if (!shortcut || !areOn() || isDialogOpen()) return
  if (event.target instanceof Element && event.target.closest(TAKES_LETTERS)) return
  event.preventDefault()
  shortcut.run()
}

function add(shortcut: Shortcut) {
  if (present.length === 0) document.addEventListener('keydown', onKey)
  present = [...present, shortcut]
  tell()
  return () => {
    present = present.filter(other => other !== shortcut)
    if (present.length === 0) document.removeEventListener('keydown', onKey)
    tell()
  }
}

/**
 * Lets a single key do this, unless somebody types, a dialog is open, or single keys are turned off. It gives what
 * belongs into `aria-keyshortcuts` of whatever does the same by mouse.
 */
export function useShortcut(key: string, name: string, run: () => void, isEverywhere = false) {
  const latest = useRef(run)
  // Before the next frame: whoever sees the box or button may press its key.
  useLayoutEffect(() => {
    latest.current = run
  })
  useLayoutEffect(
    () => add({ key, name, isEverywhere, run: () => latest.current() }),
    [key, name, isEverywhere],
  )
  return useSingleKeys() ? key : undefined
}
