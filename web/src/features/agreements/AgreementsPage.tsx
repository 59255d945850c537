import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import type { Agreement } from '~/core'
import { paths } from '~/lib/paths'
import { newAgreement } from '~/records/newRecords'
import { RecordsPage } from '~/records/RecordsPage'
import type { FormDialog } from '~/records/useDialogs'
import { useLists } from '~/records/useFields'
import { AgreementForm } from './AgreementForm'
import { columns } from './columns'
import { kind } from './kind'
import { VehicleFilter } from './VehicleFilter'

const words = {
  subtitle: t`What you sell, buy and broker, from draft to delivery.`,
  noMatch: (search: string) => t`No number, customer or vehicle matches “${search}”.`,
  first: t`Create the first agreement`,
  hint: t`A customer, a vehicle and its price are enough for an offer.`,
}

/** The list of agreements. */
export function AgreementsPage() {
  const { rules } = useLists()
  return (
    <RecordsPage
      kind={kind}
      words={words}
      columns={columns}
      nameOf={({ number }) => number}
      ownParameters={({ vehicle_id }) => ({ vehicle_id })}
      filters={(query, onRemoved) => <VehicleFilter query={query} onRemoved={onRemoved} />}
      isDeletable={({ state }) => rules !== undefined && !rules.agreementDeletionError(state)}
      Form={ListForm}
    />
  )
}

/** The form of the list. A new agreement opens its page, which has its steps. */
function ListForm(dialog: FormDialog<Agreement, Agreement>) {
  const navigate = useNavigate()
  const { state } = useLocation()
  const [begun] = useState(() => (dialog.record ? undefined : newAgreement.consume(state, kind.draftOf())))
  const onSaved = (saved: Agreement) => {
    dialog.onSaved(saved)
    if (!dialog.record)
      void navigate(paths.agreement(saved.agreement_id), { state: { list: paths.agreements } })
  }
  return <AgreementForm {...dialog} begun={begun} onSaved={onSaved} />
}
