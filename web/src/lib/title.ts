import { useEffect } from 'react'
import { site } from './site'

/** Says in the browser's tab where one is. */
export function useTitle(title: string) {
  useEffect(() => {
    document.title = `${title} · ${site.brand}`
  }, [title])
}
