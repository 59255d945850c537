import { type RefObject, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { CustomerSummary } from '~/core'
import type { Loaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'

/** Navigation state: the id of the customer whose row is expanded. */
type Target = { customer: string }

/** Returns the URL and navigation state that show a customer: a search that finds them, with their row expanded. */
export function customerAddress({ customer_id: customer, email, name }: CustomerSummary) {
  const state: Target = { customer }
  return { to: listAddress(paths.customers, { page: 1, search: email || name }), state }
}

/**
 * Returns the id of the expanded row and its setter. A navigation to a customer expands their row, which gets the focus
 * once it has loaded.
 */
export function useExpandedRow(list: RefObject<HTMLElement | null>, { outcome, stale }: Loaded<unknown>) {
  const { key, state } = useLocation()
  const target = (state as Partial<Target> | null)?.customer
  const [expanded, setExpanded] = useState(target)
  const [navigation, setNavigation] = useState(key)
  const [isFocusPending, setFocusPending] = useState(target !== undefined)
  if (navigation !== key) {
    setNavigation(key)
    setFocusPending(target !== undefined)
    if (target) setExpanded(target)
  }
  useEffect(() => {
    if (!isFocusPending || !outcome || stale) return
    setFocusPending(false)
    list.current?.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus()
  }, [isFocusPending, outcome, stale, list])
  return [expanded, setExpanded] as const
}
