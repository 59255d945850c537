import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Corporation, CorporationUser } from '~/core'
import { useHasDraft } from '~/lib/drafts'
import { countryName } from '~/lib/format'
import { mailUrl, telUrl } from '~/lib/links'
import type { Outcome } from '~/lib/load'
import { paths } from '~/lib/paths'
import { usePermissions } from '~/lib/session'
import { ApproveDialog } from '~/records/ApproveDialog'
import { CardFailed } from '~/records/CardState'
import { reachLink } from '~/records/ReachLinks'
import { Button } from '~/ui/Button'
import { Card, Facts } from '~/ui/Card'
import { DraftButton } from '~/ui/DraftButton'
import { DeclineDialog } from './DeclineDialog'
import { DeleteCorporationDialog } from './DeleteCorporationDialog'
import { LABELS } from './form'
import { declineDraftOf } from './kind'

type Props = {
  corporation: Corporation
  /** The user who is the corporation's contact, whose mobile number is shown; undefined if it has none. */
  contact: Outcome<CorporationUser | undefined> | undefined
  /** Loads the contact again after a failure. */
  onRetry: () => void
  /** Called after the approval, or if another user has approved or deleted the corporation. */
  onChanged: () => void
  /** Called after the deletion, or if another user has deleted the corporation while this one approved it. */
  onDeleted: () => void
}

/**
 * Shows what a corporation that waits for approval has signed up with, and the buttons that approve, decline or delete
 * it.
 */
export function ApprovalCard({ corporation, contact, onRetry, onChanged, onDeleted }: Props) {
  const { can_update, can_delete } = usePermissions(paths.corporations)
  const [dialog, setDialog] = useState<'approve' | 'decline' | 'delete'>()
  const { corp_id, corp_name, company_email, company_phone } = corporation
  const { corp_contact_name: name, corp_contact_email: email } = corporation
  const hasDraft = useHasDraft(declineDraftOf(corp_id))
  const close = () => setDialog(undefined)
  const closeAnd = (run: () => void) => () => {
    close()
    run()
  }
  const changed = closeAnd(onChanged)
  const deleted = closeAnd(onDeleted)
  const mobile = contact?.ok ? (contact.value?.mobile ?? '') : ''
  const phone =
    contact?.ok === false ? (
      <CardFailed error={contact.error} failed={t`Failed to load the phone number`} onRetry={onRetry} />
    ) : (
      reachLink(telUrl(mobile), mobile)
    )
  return (
    <div className="mb-4">
      <Card
        title={t`Waiting for approval`}
        subtitle={t`No one in this corporation can sign in until it is approved.`}
      >
        <Facts
          facts={[
            [LABELS.organization_number, corporation.organization_number],
            [LABELS.street_address, corporation.street_address],
            [LABELS.registered_city, corporation.registered_city],
            [LABELS.postal_code, corporation.postal_code],
            [LABELS.city, corporation.city],
            [t`Country`, countryName(corporation.country)],
            [LABELS.company_email, reachLink(mailUrl(company_email), company_email)],
            [LABELS.company_phone, reachLink(telUrl(company_phone), company_phone)],
            [t`Contact`, name],
            [t`Email`, reachLink(mailUrl(email), email)],
            [t`Phone Number`, phone],
          ]}
        />
        <div className="mt-5 flex flex-wrap gap-2">
          {can_update && (
            <Button kind="primary" onClick={() => setDialog('approve')}>
              {t`Approve`}
            </Button>
          )}
          {can_delete && (
            <>
              <DraftButton hasDraft={hasDraft} onClick={() => setDialog('decline')}>
                {t`Decline`}
              </DraftButton>
              <Button kind="danger" onClick={() => setDialog('delete')}>
                {t`Delete corporation`}
              </Button>
            </>
          )}
        </div>
      </Card>
      {dialog === 'approve' && (
        <ApproveDialog
          corpId={corp_id}
          name={corp_name}
          admin={name || email}
          onClose={isDeleted => (isDeleted ? deleted() : close())}
          onApproved={changed}
        />
      )}
      {dialog === 'decline' && (
        <DeclineDialog
          corporation={corporation}
          onClose={isStale => (isStale ? changed() : close())}
          onDeclined={deleted}
        />
      )}
      {dialog === 'delete' && (
        <DeleteCorporationDialog record={corporation} onClose={close} onDeleted={deleted} />
      )}
    </div>
  )
}
