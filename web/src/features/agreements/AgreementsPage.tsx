import { t } from '@lingui/core/macro'
import { Handshake } from 'lucide-react'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Agreement } from '~/core'
import { paths } from '~/lib/paths'
import { useTitle } from '~/lib/title'
import { consumeVehicle } from '~/records/agreements/newAgreement'
import { RecordsPage } from '~/records/RecordsPage'
import type { FormDialog } from '~/records/useDialogs'
import { useLists } from '~/records/useFields'
import { AgreementForm } from './AgreementForm'
import { columns } from './columns'
import { DeleteAgreementDialog } from './DeleteAgreementDialog'
import { type AgreementsQuery, agreementsAddress } from './query'
import { VehicleFilter } from './VehicleFilter'

const words = {
  title: t`Agreements`,
  subtitle: t`What you sell, buy and broker, from draft to delivery.`,
  create: t`New agreement`,
  label: t`Agreements`,
  noun: t`agreements`,
  search: t`Search agreements`,
  loadFailed: t`Failed to load agreements.`,
  forbidden: t`You don't have access to agreements`,
  none: t`No agreements found.`,
  noMatch: (search: string) => t`No number, customer or vehicle matches “${search}”.`,
  first: t`Create the first agreement`,
  hint: t`A customer and a vehicle are enough for an offer.`,
  edit: (number: string) => t`Edit ${number}`,
  remove: (number: string) => t`Delete ${number}`,
}

/** The list of agreements. */
export function AgreementsPage() {
  useTitle(words.title)
  const { rules } = useLists()
  return (
    <RecordsPage<Agreement, AgreementsQuery>
      list="agreements"
      route={paths.agreements}
      words={words}
      icon={Handshake}
      columns={columns}
      idOf={({ agreement_id }) => agreement_id}
      nameOf={({ number }) => number}
      address={agreementsAddress}
      narrowedBy={({ vehicle_id }) => ({ vehicle_id })}
      filters={(query, onRemoved) => <VehicleFilter query={query} onRemoved={onRemoved} />}
      isDeletable={({ state }) => rules !== undefined && !rules.agreementDeletionError(state)}
      Form={ListForm}
      Deletion={DeleteAgreementDialog}
    />
  )
}

/** The form of the list. A new agreement opens its page, which has its steps. */
function ListForm(dialog: FormDialog<Agreement, Agreement>) {
  const navigate = useNavigate()
  const { state } = useLocation()
  const [vehicle] = useState(() => (dialog.record ? undefined : consumeVehicle(state)))
  const onSaved = (saved: Agreement) => {
    dialog.onSaved(saved)
    if (!dialog.record)
      void navigate(paths.agreement(saved.agreement_id), { state: { list: paths.agreements } })
  }
  return <AgreementForm {...dialog} vehicle={vehicle} onSaved={onSaved} />
}
