import { type ReactNode, useLayoutEffect, useRef } from 'react'

/** How long cards can be hidden, in milliseconds. */
const MAX_HIDDEN = 3000

/**
 * Shows the cards in it from top to bottom: none below a card that is still loading, because that card's height may
 * change. Once all have loaded, or after some seconds, none is hidden again.
 */
export function CardsInOrder({ children }: { children: ReactNode }) {
  const container = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const element = container.current
    if (!element) return
    const observer = new MutationObserver(update)
    observer.observe(element, { childList: true, subtree: true })
    let isOver = false
    function update() {
      const cards = [...(element?.querySelectorAll<HTMLElement>('.card') ?? [])]
      const loading = isOver ? [] : cards.filter(card => card.querySelector('.skeleton')).map(rectOf)
      for (const card of cards) {
        const { left, right, top } = rectOf(card)
        const isBelow = (other: DOMRect) => top >= other.bottom && left < other.right && right > other.left
        outermost(card).style.visibility = loading.some(isBelow) ? 'hidden' : ''
      }
      if (loading.length === 0) observer.disconnect()
    }
    update()
    const timer = setTimeout(() => {
      isOver = true
      update()
    }, MAX_HIDDEN)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [])
  return (
    <div ref={container} className="contents">
      {children}
    </div>
  )
}

/** Returns the outermost element around the card that contains nothing else: a visible one could still move. */
function outermost(card: HTMLElement): HTMLElement {
  const parent = card.parentElement
  return parent?.childElementCount === 1 ? outermost(parent) : card
}

function rectOf(element: HTMLElement): DOMRect {
  return element.getBoundingClientRect()
}
