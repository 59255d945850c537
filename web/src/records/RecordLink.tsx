import type { ComponentProps } from 'react'
import { Link, useLocation } from 'react-router'

/** Navigation state: the URL of the list through which the record is reached. */
export type Origin = { list: string }

type Props = Omit<ComponentProps<typeof Link>, 'to' | 'state'> & {
  to: string
  /** The record opens above its list, so that its URL contains the list's page and search. */
  keepsSearch?: boolean
  /** The URL of the record's list; the present page by default. */
  list?: string
}

/** A link to a record. Its page can lead back to the same page and search of the list. */
export function RecordLink({ to, keepsSearch = false, list, ...rest }: Props) {
  const { pathname, search } = useLocation()
  const state: Origin = { list: list ?? pathname + search }
  return <Link {...rest} to={keepsSearch ? to + search : to} state={state} />
}

/** Returns the URL of the list that the user came from, if they came from one. */
export function useOriginList(): string | undefined {
  return (useLocation().state as Partial<Origin> | null)?.list
}
