import { type ComponentType, useEffect, useState } from 'react'
import { closeToast, enqueueToast, registerToasterLoader, UNDO_MS, type Undo } from './toastQueue'

const contentOf = (message: string, title?: string) =>
  title ? { title, description: message } : { title: message }

/**
 * Shows a toast. The same information or error again keeps its toast visible for longer, instead of adding a second
 * one. Priority is always normal, because Base UI hides urgent toasts from assistive technology.
 */
export const toast = {
  /**
   * With `undo`, the toast has an Undo button for the action that it reports, and stays longer. A toast with
   * an `id` replaces the one that has the same id.
   */
  success: (message: string, { undo, id }: { undo?: Undo; id?: string } = {}) =>
    enqueueToast({
      ...contentOf(message),
      ...(id && { id }),
      type: 'success',
      ...(undo && { timeout: UNDO_MS, data: { undo } }),
    }),
  info: (message: string) => enqueueToast({ ...contentOf(message), id: message, type: 'info' }),
  warning: (message: string, title?: string) =>
    enqueueToast({ ...contentOf(message, title), type: 'warning', timeout: 8000 }),
  /** With `isQuiet`, screen readers don't announce the toast, because they announce the error at its field. */
  error: (message: string, title?: string, { isQuiet }: { isQuiet?: boolean } = {}) =>
    enqueueToast({
      ...contentOf(message, title),
      id: `${title}: ${message}`,
      type: 'error',
      timeout: 8000,
      ...(isQuiet && { data: { isQuiet } }),
    }),
  /** Closes the toast with this id, if it is still visible. */
  close: closeToast,
}

/**
 * Renders the toasts of the whole app. The code is loaded on the first key press, click or message, so it doesn't delay
 * the sign-in page, but is usually there before the connection is lost.
 */
export function Toasts() {
  const [Loaded, setLoaded] = useState<ComponentType>()
  useEffect(() => {
    if (Loaded) return
    const loadToaster = () => {
      import('./Toaster').then(
        module => setLoaded(() => module.Toaster),
        // If the code failed to load, the next key press, click or message tries again.
        () => undefined,
      )
    }
    addEventListener('pointerdown', loadToaster)
    addEventListener('keydown', loadToaster)
    const stop = registerToasterLoader(loadToaster)
    return () => {
      removeEventListener('pointerdown', loadToaster)
      removeEventListener('keydown', loadToaster)
      stop()
    }
  }, [Loaded])
  return Loaded && <Loaded />
}
