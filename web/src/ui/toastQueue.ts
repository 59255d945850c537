export type ToastKind = 'success' | 'info' | 'warning' | 'error'

/** How long a toast offers to undo an action, in milliseconds. */
export const UNDO_MS = 10_000

/**
 * Undoes the action that a toast reports, and returns the message to show: `isDone` if it succeeded; after a failure,
 * `canRetry` keeps the Undo button.
 */
export type Undo = () => Promise<{ message: string; isDone: boolean; canRetry?: boolean }>

/**
 * A message to show as a toast. `timeout` is the time in milliseconds after which it closes. Screen readers don't
 * announce a quiet one.
 */
export type ToastMessage = {
  id?: string
  title?: string
  description?: string
  type: ToastKind
  timeout?: number
  data?: { undo?: Undo; isQuiet?: boolean }
}

// Messages to show once the toaster is mounted, for example those of the first page's loader.
const queue: ToastMessage[] = []
let show: ((message: ToastMessage) => void) | undefined
let closeErrors = () => {}
let close = (_id: string) => {}
let loadToaster: (() => void) | undefined

export function enqueueToast(message: ToastMessage) {
  if (show) return show(message)
  queue.push(message)
  loadToaster?.()
}

/** Closes the toast with this id, which is no longer true. */
export function closeToast(id: string) {
  const index = queue.findIndex(message => message.id === id)
  if (index >= 0) queue.splice(index, 1)
  close(id)
}

/** Closes the toasts of errors, whose cause is gone. */
export const clearErrorToasts = () => closeErrors()

/**
 * Registers the functions of the toaster, and passes the queued messages to `show`. Returns a function that unregisters
 * them.
 */
export function registerToaster(toaster: {
  show: (message: ToastMessage) => void
  close: (id: string) => void
  closeErrors: () => void
}) {
  show = toaster.show
  close = toaster.close
  closeErrors = toaster.closeErrors
  queue.splice(0).forEach(toaster.show)
  return () => {
    show = undefined
    close = () => {}
    closeErrors = () => {}
  }
}

/**
 * Registers the function that loads the toaster. It is called for each message that arrives before a toaster is
 * registered, and at once if messages are queued. Returns a function that unregisters it.
 */
export function registerToasterLoader(load: () => void) {
  loadToaster = load
  if (queue.length > 0) load()
  return () => {
    loadToaster = undefined
  }
}
