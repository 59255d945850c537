const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** The palette's keys, as this machine has them: on a Mac, Ctrl+K deletes to the end of the line. */
export const COMMAND = isMac
  ? { key: 'Meta', label: '⌘ K', shortcut: 'Meta+K' }
  : { key: 'Control', label: 'Ctrl K', shortcut: 'Control+K' }

/** Is it this machine's key for commands that is held, and no other? */
export const isCommandKey = (event: KeyboardEvent) =>
  event.ctrlKey !== isMac && event.metaKey === isMac && !event.altKey && !event.shiftKey && !event.isComposing
