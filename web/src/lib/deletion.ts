import { type RefObject, useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate, useRevalidator } from 'react-router'
import type { Loaded, Outcome } from './load'
import { useRowPlace } from './rowPlace'

/** Navigation state of a list that is opened after one of its records was deleted on the record's own page. */
export type AfterDeletion = { afterDeletion: true }

type Settings<T> = {
  loaded: Loaded<Outcome<T>>
  /** The number of the list's page, as in the URL. */
  page: number
  pagesOf: (list: T) => number
  /** Returns the URL of the list's page with this number. */
  to: (page: number) => string
  /** The element that contains the rows. */
  list: RefObject<HTMLElement | null>
}

/**
 * Handles the state of a list after one of its rows was deleted: the old rows stay visible, dimmed, until the
 * list has been reloaded. If the page in the URL then no longer exists, it navigates to the new last page. If
 * the deleted row had the focus, the focus moves to the next row, or on another page to the list.
 */
export function useAfterDeletion<T>({ loaded, page, pagesOf, to, list }: Settings<T>) {
  const { outcome, stale } = loaded
  const isAfter = (useLocation().state as Partial<AfterDeletion> | null)?.afterDeletion
  const navigate = useNavigate()
  const { revalidate } = useRevalidator()
  // The outcome that was shown when the row was deleted. Undefined once the list has been reloaded.
  const [before, setBefore] = useState<Pick<Loaded<Outcome<T>>, 'outcome'> | undefined>(
    isAfter && { outcome: undefined },
  )
  const isReloaded = before !== undefined && !stale && outcome !== before.outcome
  const last = isReloaded && outcome?.ok ? Math.max(pagesOf(outcome.value), 1) : page
  const redirectTo = page > last ? to(last) : undefined
  // After a failed reload, waits for the next one, because the user may try again.
  if (isReloaded && !redirectTo) setBefore(outcome?.ok ? undefined : { outcome })
  const { focusRow, forgetRow } = useRowPlace(list)
  useEffect(() => {
    if (!redirectTo) return
    forgetRow()
    void navigate(redirectTo, { replace: true })
  }, [redirectTo, navigate, forgetRow])

  const isWaiting = before !== undefined
  const wasWaiting = useRef(isWaiting)
  useEffect(() => {
    const isDone = wasWaiting.current && !isWaiting
    wasWaiting.current = isWaiting
    if (isDone && document.activeElement === document.body) focusRow()
  }, [isWaiting, focusRow])

  const shown: Loaded<Outcome<T>> = before ? { outcome: before.outcome, stale: true } : loaded
  const afterDeletion = () => {
    setBefore({ outcome: shown.outcome })
    void revalidate()
  }
  return { shown, afterDeletion }
}
