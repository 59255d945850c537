import type { ComponentProps } from 'react'
import { Link, useLocation } from 'react-router'

/** Navigation state of a record's page: the URL of the list that the user came from. */
export type Origin = { list: string }

type Props = Omit<ComponentProps<typeof Link>, 'to' | 'state'> & {
  to: string
  /** The record opens as a dialog above its list, so its URL keeps the list's query. */
  keepsSearch?: boolean
  /** The URL of the record's list; the URL of the current page by default. */
  list?: string
}

/** A link to a record, whose page can then lead back to the same page and search of the list. */
export function RecordLink({ to, keepsSearch = false, list, ...rest }: Props) {
  const { pathname, search } = useLocation()
  const state: Origin = { list: list ?? pathname + search }
  return <Link {...rest} to={keepsSearch ? to + search : to} state={state} />
}

/** Returns the URL of the list from which the user opened the record; undefined if they came from elsewhere. */
export function useOriginList(): string | undefined {
  return (useLocation().state as Partial<Origin> | null)?.list
}
