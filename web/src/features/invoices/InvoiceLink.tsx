import type { ComponentProps } from 'react'
import { Link, useLocation, useNavigate } from 'react-router'
import { paths } from '~/lib/paths'

type Behind = { isFromList: boolean }

/** Leads to an invoice, over the very list that it stands in: its page and its search. */
export function InvoiceLink({
  id,
  ...rest
}: { id: string } & Omit<ComponentProps<typeof Link>, 'to' | 'state'>) {
  const { search } = useLocation()
  const state: Behind = { isFromList: true }
  return <Link {...rest} to={{ pathname: paths.invoice(id), search }} state={state} />
}

/** Goes back to the list; for those who came by a link from elsewhere the list takes the invoice's place. */
export function useBackToList(): () => void {
  const { state, search } = useLocation()
  const navigate = useNavigate()
  const isFromList = (state as Partial<Behind> | null)?.isFromList
  return () => void (isFromList ? navigate(-1) : navigate(paths.invoices + search, { replace: true }))
}
