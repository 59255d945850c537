import { t } from '@lingui/core/macro'
import type { ProfileOrganization } from '~/core'
import { Card, Facts } from '~/ui/Card'

/** The card that shows the corporation's company record, which can't be edited here. */
export function OrganizationCard({ organization }: { organization: ProfileOrganization }) {
  return (
    <Card title={t`Organization Information`}>
      <Facts
        facts={[
          [t`Organization name`, organization.organization_name],
          [t`Organization number`, organization.organization_number],
          [t`Organization email`, organization.organization_email],
          [t`Organization phone`, organization.organization_phone],
          [t`Business category`, organization.business_category],
          [t`Legal form`, organization.legal_form],
          [t`Company email`, organization.company_email],
          [t`Company phone`, organization.company_phone],
        ]}
      />
    </Card>
  )
}
