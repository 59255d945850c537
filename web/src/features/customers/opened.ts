import { type RefObject, useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import type { CustomerSummary } from '~/core'
import type { Loaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'

type Wanted = { customer: string }

/** Leads to one customer from elsewhere: to the list that holds them, with their row open. */
export function customerAddress({ customer_id: customer, email, name }: CustomerSummary) {
  const state: Wanted = { customer }
  return { to: listAddress(paths.customers, { page: 1, search: email || name }), state }
}

/** Which row is open: the one that somebody was led to, until they open another. Once it is there it takes the focus. */
export function useOpened(list: RefObject<HTMLElement | null>, { outcome, stale }: Loaded<unknown>) {
  const { key, state } = useLocation()
  const wanted = (state as Partial<Wanted> | null)?.customer
  const [opened, setOpened] = useState(wanted)
  const [at, setAt] = useState(key)
  // What the page was led to and has not shown yet.
  const [coming, setComing] = useState(wanted)
  if (at !== key) {
    setAt(key)
    setComing(wanted)
    if (wanted) setOpened(wanted)
  }
  useEffect(() => {
    if (!coming || !outcome || stale) return
    setComing(undefined)
    list.current?.querySelector<HTMLElement>('[aria-expanded="true"]')?.focus()
  }, [coming, outcome, stale, list])
  return [opened, setOpened] as const
}
