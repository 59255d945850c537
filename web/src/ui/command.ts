const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** Returns the shortcut of a letter with the platform's command key: Cmd on macOS, otherwise Ctrl. */
const command = (letter: string) =>
  isMac
    ? { key: 'Meta', label: `⌘ ${letter}`, shortcut: `Meta+${letter}` }
    : { key: 'Control', label: `Ctrl ${letter}`, shortcut: `Control+${letter}` }

/** The shortcut that opens the command palette. */
export const COMMAND = command('K')
/** The shortcut of the newest toast's Undo button. */
export const UNDO = command('Z')

/** Returns whether the platform's command key is pressed without other modifiers. */
export const isCommandKey = (event: KeyboardEvent) =>
  event.ctrlKey !== isMac && event.metaKey === isMac && !event.altKey && !event.shiftKey && !event.isComposing
