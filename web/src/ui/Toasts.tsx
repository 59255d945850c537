import { type ComponentType, useEffect, useState } from 'react'
import { fetchPlaceBy, say } from './saying'

/** What is said, under a title if it has one. */
const words = (message: string, title?: string) =>
  title ? { title, description: message } : { title: message }

/** Says something in passing. Normal priority throughout: an urgent toast hides itself from assistive technology. */
export const toast = {
  success: (message: string) => say({ ...words(message), type: 'success' }),
  info: (message: string) => say({ ...words(message), type: 'info' }),
  warning: (message: string, title?: string) =>
    say({ ...words(message, title), type: 'warning', timeout: 8000 }),
  /** Said again while it still shows, it only stays longer. */
  error: (message: string, title?: string) =>
    say({ ...words(message, title), id: `${title}: ${message}`, type: 'error', timeout: 8000 }),
}

/**
 * Where toasts show: once, beside the whole app. Their code comes when somebody touches the page: nobody waits for it at
 * the sign-in, and it is there before a lost connection has to be told.
 */
export function Toasts() {
  const [Place, setPlace] = useState<ComponentType>()
  useEffect(() => {
    if (Place) return
    const fetchPlace = () => {
      import('./ToastPlace').then(
        module => setPlace(() => module.ToastPlace),
        // Tried again at the next touch, or at the next thing to say.
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
