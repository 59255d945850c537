import { type ComponentType, useEffect, useState } from 'react'
import { fetchPlaceBy, say } from './saying'

const words = (message: string, title?: string) =>
  title ? { title, description: message } : { title: message }

/** Shows a toast. Priority is always normal, because Base UI hides urgent toasts from assistive technology. */
export const toast = {
  success: (message: string) => say({ ...words(message), type: 'success' }),
  info: (message: string) => say({ ...words(message), type: 'info' }),
  warning: (message: string, title?: string) =>
    say({ ...words(message, title), type: 'warning', timeout: 8000 }),
  /** A repeated message extends the visible toast instead of adding one. */
  error: (message: string, title?: string) =>
    say({ ...words(message, title), id: `${title}: ${message}`, type: 'error', timeout: 8000 }),
}

/**
 * Mounts the toaster once for the whole app. Its code is loaded on the first interaction, so it doesn't delay the
 * sign-in page but is available before the connection is lost.
 */
export function Toasts() {
  const [Place, setPlace] = useState<ComponentType>()
  useEffect(() => {
    if (Place) return
    const fetchPlace = () => {
      import('./ToastPlace').then(
        module => setPlace(() => module.ToastPlace),
        // The next interaction or message retries.
        () => undefined,
      )
    }
    addEventListener('pointerdown', fetchPlace)
    addEventListener('keydown', fetchPlace)
    const stop = fetchPlaceBy(fetchPlace)
    return () => {
      removeEventListener('pointerdown', fetchPlace)
      removeEventListener('keydown', fetchPlace)
      stop()
    }
  }, [Place])
  return Place && <Place />
}
