import { type RefObject, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import type { Loaded } from './load'

/** How one comes to a list after deleting a row of it elsewhere. */
export type AfterDeletion = { afterDeletion: true }

type Settings<T> = {
  loaded: Loaded<T>
  /** The page that the address names. */
  page: number
  pagesOf: (list: T) => number
  /** The address of a page. */
  to: (page: number) => string
  /** What the rows stand in. */
  list: RefObject<HTMLElement | null>
}

/**
 * The last page of a list may go with its last row. Whether it has gone the server says, and then one goes on at the last page
 * that there is. What was in view stays there until that has come; and the list takes over the focus that went with the row.
 */
export function useAfterDeletion<T>({ loaded, page, pagesOf, to, list }: Settings<T>) {
  const { outcome, stale } = loaded
  const isAfter = (useLocation().state as Partial<AfterDeletion> | null)?.afterDeletion
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  // What was in view when a row was deleted, for as long as the list hasn't come without it.
  const [before, setBefore] = useState<Pick<Loaded<T>, 'outcome'> | undefined>(
    isAfter && { outcome: undefined },
  )
  const isAnswered = before !== undefined && !stale && outcome !== before.outcome
  const last = isAnswered && outcome?.ok ? Math.max(pagesOf(outcome.value), 1) : page
  const goal = page > last ? to(last) : undefined
  // What failed may come at the next try.
  if (isAnswered && !goal) setBefore(outcome?.ok ? undefined : { outcome })
  useEffect(() => {
    if (goal) void navigate(goal, { replace: true })
  }, [goal, navigate])

  const isWaiting = before !== undefined
  const wasWaiting = useRef(isWaiting)
  useEffect(() => {
    const isOver = wasWaiting.current && !isWaiting
    wasWaiting.current = isWaiting
    if (isOver && document.activeElement === document.body) list.current?.focus({ preventScroll: true })
  }, [isWaiting, list])

  const shown: Loaded<T> = before ? { outcome: before.outcome, stale: true } : loaded
  const afterDeletion = () => {
    setBefore({ outcome: shown.outcome })
    void revalidate()
  }
  return { shown, afterDeletion }
}
