import { Children, type ReactNode } from 'react'

/** Surrounds the number of an element in the sentence: the Unicode object replacement character. */
const MARK = '\uFFFC'

const placeholderOf = (index: number) => `${MARK}${index}${MARK}`

type Props = {
  /** Returns the sentence with a placeholder at the position of each child. */
  text: (...places: string[]) => string
  /** The elements, in the order of the placeholders that `text` receives. */
  children: ReactNode
}

/** A translated sentence that contains elements, such as links, at the positions that the language requires. */
export function Sentence({ text, children }: Props) {
  const elements = Children.toArray(children)
  const parts = text(...elements.map((_, index) => placeholderOf(index))).split(MARK)
  // The parts at odd positions are the numbers of elements, the others are text.
  return parts.map((part, position) => (position % 2 === 1 ? elements[Number(part)] : part))
}
