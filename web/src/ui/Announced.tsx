import type { ReactNode } from 'react'
import { useDebounced } from './useDebounced'

type Props = {
  /** The text to announce once it rests. Empty if the children may be announced at once. */
  text: string
  /** What shows the text. */
  children?: ReactNode
}

/** Shows a text that may change at each key press. Screen readers announce it only once it no longer changes. */
export function Announced({ text, children = text }: Props) {
  const debounced = useDebounced(text)
  const isAtRest = text === '' || text === debounced
  return (
    <>
      <div aria-live="polite">{isAtRest && children}</div>
      {/* Outside the live region until then: what is moved into it is announced. */}
      {!isAtRest && children}
    </>
  )
}
