import { t } from '@lingui/core/macro'
import { type ReactNode, useState } from 'react'
import { cx } from '~/ui/cx'

/** Texts that are longer than one of these limits are cut at first. */
const LONG = { characters: 300, lines: 5 }

type Props = {
  children: string
  /** Renders the text in an element, such as `<del>`, which does not contain the button. */
  mark?: (text: ReactNode) => ReactNode
}

/** A value in the history. Only the beginning of a long text is shown, with a button that shows all of it. */
export function LongText({ children: text, mark = shown => shown }: Props) {
  const [isExpanded, setExpanded] = useState(false)
  const isLong = text.length > LONG.characters || text.split('\n').length > LONG.lines
  if (!isLong) return mark(<span className="whitespace-pre-line">{text}</span>)
  return (
    <>
      {mark(
        <span
          className={cx(
            'whitespace-pre-line print:line-clamp-none',
            isExpanded ? 'block' : 'line-clamp-4 print:block',
          )}
        >
          {text}
        </span>,
      )}
      <button
        type="button"
        aria-expanded={isExpanded}
        onClick={() => setExpanded(!isExpanded)}
        className="min-h-6 rounded font-medium underline touch:min-h-touch print:hidden"
      >
        {isExpanded ? t`Show less` : t`Show all`}
      </button>
    </>
  )
}
