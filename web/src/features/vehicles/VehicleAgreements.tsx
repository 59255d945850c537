import { t } from '@lingui/core/macro'
import { Plus } from 'lucide-react'
import { useNavigate } from 'react-router'
import type { Vehicle } from '~/core'
import { useHasDraft } from '~/lib/drafts'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'
import { useCanRead, usePermissions } from '~/lib/session'
import { shownText } from '~/lib/words'
import { AgreementsCard } from '~/records/agreements/AgreementsCard'
import { newAgreement } from '~/records/newRecords'
import { DraftButton } from '~/ui/DraftButton'

/** The agreements that a vehicle is in, for users who may read them, and a button that creates one. */
export function VehicleAgreements({ vehicle }: { vehicle: Vehicle }) {
  const { vehicle_id, status, version } = vehicle
  const mayRead = useCanRead('agreements', paths.agreements)
  const { can_create } = usePermissions(paths.agreements)
  const hasDraft = useHasDraft(newAgreement.draftOf(vehicle))
  const navigate = useNavigate()
  if (!mayRead) return null
  return (
    // It names other customers, so it is left out in print.
    <div className="print:hidden">
      <AgreementsCard
        query={{ vehicle_id }}
        list={listAddress(paths.agreements, {}, { vehicle_id })}
        version={version}
        noteOf={({ customer_name }) => shownText(customer_name)}
        empty={t`This vehicle isn't in an agreement yet.`}
        action={
          can_create &&
          status !== 'Sold' && (
            <DraftButton
              hasDraft={hasDraft}
              onClick={() => void navigate(paths.agreements, { state: newAgreement.request(vehicle) })}
            >
              <Plus aria-hidden className="size-4" />
              {t`New agreement`}
            </DraftButton>
          )
        }
      />
    </div>
  )
}
