import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { Button } from './Button'
import { cx } from './cx'
import { ErrorNotice } from './Notice'

type Props = {
  /** The element that contains the items. */
  list: RefObject<HTMLElement | null>
  /** The CSS selector of the items in `list`. */
  items: string
  /** The number of items that are shown. */
  shown: number
  hasOlder: boolean
  isLoading: boolean
  error: string | undefined
  onLoad: () => void
  className?: string
  /** The label of the button. */
  children: ReactNode
}

/** A button at the end of a card that loads older items, as long as there are any. */
export function ShowOlder(props: Props) {
  const { list, items, shown, hasOlder, isLoading, error, onLoad, className, children } = props
  // Index of the first item of the page that is loading. After the last page the button disappears, and this item gets
  // the focus.
  const firstOlder = useRef<number>(undefined)
  useEffect(() => {
    const index = firstOlder.current
    if (index === undefined || isLoading) return
    firstOlder.current = undefined
    if (!hasOlder) list.current?.querySelectorAll<HTMLElement>(items)[index]?.focus({ preventScroll: true })
  }, [list, items, isLoading, hasOlder])
  if (!hasOlder) return
  return (
    <div className={cx('border-t border-line pt-4 text-center print:hidden', className)}>
      <ErrorNotice message={error} scrollsIntoView className="mb-3 text-left" />
      <Button
        busy={isLoading}
        onClick={() => {
          firstOlder.current = shown
          onLoad()
        }}
      >
        {children}
      </Button>
    </div>
  )
}
