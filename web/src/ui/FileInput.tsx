import type { RefObject } from 'react'

type Props = {
  /** Receives the input element, so that the caller's button can open the file chooser. */
  ref: RefObject<HTMLInputElement | null>
  /** The file types that can be chosen, as in the input's `accept` attribute. */
  accept: string
  label: string
  onChoose: (file: File) => void
}

/** A hidden input that opens the file chooser. */
export function FileInput({ ref, accept, label, onChoose }: Props) {
  return (
    <input
      ref={ref}
      type="file"
      accept={accept}
      aria-label={label}
      tabIndex={-1}
      className="sr-only"
      onChange={event => {
        const file = event.target.files?.[0]
        // Clears the input, so that choosing the same file again fires a change event.
        event.target.value = ''
        if (file) onChoose(file)
      }}
    />
  )
}
