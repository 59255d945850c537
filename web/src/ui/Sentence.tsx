import type { ReactNode } from 'react'

/** The Unicode object replacement character. */
const PLACE = '\uFFFC'

type Props = {
  /** Returns the sentence with the placeholder at the position of `children`. */
  text: (place: string) => string
  /** Inserted at the placeholder. */
  children: ReactNode
}

/** A translated sentence with an element at the position that the language requires. */
export function Sentence({ text, children }: Props) {
  const [before, after] = text(PLACE).split(PLACE)
  return (
    <>
      {before}
      {children}
      {after}
    </>
  )
}
