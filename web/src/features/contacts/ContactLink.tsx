import type { ComponentProps } from 'react'
import { Link, useLocation } from 'react-router'
import { paths } from '~/lib/paths'

type Behind = { list: string }

/** Leads to a contact, and remembers the very list that it stands in: its page and its search. */
export function ContactLink({
  id,
  ...rest
}: { id: string } & Omit<ComponentProps<typeof Link>, 'to' | 'state'>) {
  const { pathname, search } = useLocation()
  const state: Behind = { list: pathname + search }
  return <Link {...rest} to={paths.contact(id)} state={state} />
}

/** The list that one came from; the whole list for those who came from elsewhere. */
export function useListBehind(): string {
  const state = useLocation().state as Partial<Behind> | null
  return state?.list ?? paths.contacts
}
