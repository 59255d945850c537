import type { ReactNode } from 'react'
import { shownText } from '~/lib/words'
import { Avatar } from '~/ui/Avatar'
import { NONE } from '~/ui/Card'

/** Renders a text that may be truncated, with the whole text as its tooltip; "N/A" if empty. */
export const text = (value: string | undefined, className?: string) => {
  if (!value) return NONE
  const shown = shownText(value)
  return (
    <span title={shown} className={className}>
      {shown}
    </span>
  )
}

/** Shown in place of an empty value in lists whose texts are specified with a dash. */
export const DASH = <span className="text-muted">-</span>

/** Returns whether a cell shows that its record has no value. */
export const isEmptyCell = (content: ReactNode) => content === NONE || content === DASH || !content

/** Renders the content of a cell behind its picture, such as an avatar. */
export const withPicture = (picture: ReactNode, content: ReactNode) => (
  <span className="flex min-w-0 items-center gap-3">
    {picture}
    {content}
  </span>
)

/** Returns the `picture` function of a column: an avatar with the initials of the record's name. */
export const avatarOf =
  <R,>(nameOf: (record: R) => string) =>
  (record: R) => <Avatar name={nameOf(record)} />
