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
    const observer = new MutationObserver(() => update(false))
    observer.observe(element, { childList: true, subtree: true })
    let hidden: HTMLElement[] = []
    function update(isOver: boolean) {
      const cards = [...(element?.querySelectorAll<HTMLElement>('.card') ?? [])]
      const loading = isOver ? [] : cards.filter(card => card.querySelector('.skeleton')).map(rectOf)
      for (const card of hidden) card.style.visibility = ''
      hidden = cards.filter(card => loading.some(other => isBelow(rectOf(card), other))).map(outermost)
      for (const card of hidden) card.style.visibility = 'hidden'
      if (loading.length === 0) observer.disconnect()
    }
    update(false)
    const timer = setTimeout(() => update(true), MAX_HIDDEN)
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

function rectOf(element: HTMLElement): DOMRect {
  return element.getBoundingClientRect()
}

function isBelow(card: DOMRect, other: DOMRect): boolean {
  return card.top >= other.bottom && card.left < other.right && card.right > other.left
}

/** Returns the outermost element around the card that contains nothing else: a visible one could still move. */
function outermost(card: HTMLElement): HTMLElement {
  const parent = card.parentElement
  return parent?.childElementCount === 1 ? outermost(parent) : card
}
