import type { ProfileOrganization } from '~/core'
import { Card, Facts } from '~/ui/Card'

/** The company record of one's corporation; only to be read. */
export function OrganizationCard({ organization }: { organization: ProfileOrganization }) {
  return (
    <Card title="Organization Information">
      <Facts
        facts={[
          ['Organization name', organization.organization_name],
          ['Organization number', organization.organization_number],
          ['Organization email', organization.organization_email],
          ['Organization phone', organization.organization_phone],
          ['Business category', organization.business_category],
          ['Legal form', organization.legal_form],
          ['Company email', organization.company_email],
          ['Company phone', organization.company_phone],
        ]}
      />
    </Card>
  )
}
