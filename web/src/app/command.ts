const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** The palette's shortcut. On macOS it is Cmd+K, because Ctrl+K deletes to the end of the line. */
export const COMMAND = isMac
  ? { key: 'Meta', label: '⌘ K', shortcut: 'Meta+K' }
  : { key: 'Control', label: 'Ctrl K', shortcut: 'Control+K' }

/** Returns whether the platform's command key is pressed without other modifiers. */
export const isCommandKey = (event: KeyboardEvent) =>
  event.ctrlKey !== isMac && event.metaKey === isMac && !event.altKey && !event.shiftKey && !event.isComposing
