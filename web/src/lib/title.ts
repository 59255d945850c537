import { useEffect } from 'react'
import { site } from './site'

/** Sets the document title. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · ${site.brand}`
  }, [title])
}
