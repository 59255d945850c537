const isMac = /Mac|iPhone|iPad/.test(navigator.platform)

/** A letter pressed with the platform's command key. On macOS that is Cmd, because Ctrl with a letter edits text. */
const command = (letter: string) =>
  isMac
    ? { key: 'Meta', label: `⌘ ${letter}`, shortcut: `Meta+${letter}` }
    : { key: 'Control', label: `Ctrl ${letter}`, shortcut: `Control+${letter}` }

/** The shortcut of the palette. */
export const COMMAND = command('K')
/** The shortcut that undoes what the newest toast with an Undo button reports. */
export const UNDO = command('Z')

/** Returns whether the platform's command key is pressed without other modifiers. */
export const isCommandKey = (event: KeyboardEvent) =>
  event.ctrlKey !== isMac && event.metaKey === isMac && !event.altKey && !event.shiftKey && !event.isComposing
