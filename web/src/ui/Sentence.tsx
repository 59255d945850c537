import type { ReactNode } from 'react'

/** Unicode's own sign for something in a text that is no text. */
const PLACE = '\uFFFC'

type Props = {
  /** The sentence, given what stands where its part is to be. */
  text: (place: string) => string
  /** The part of it that is more than text. */
  children: ReactNode
}

/** A sentence with something in it that is more than text, wherever its language puts that. */
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
