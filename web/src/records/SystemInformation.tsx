import { t } from '@lingui/core/macro'
import type { ReactNode } from 'react'
import { Card, Facts } from '~/ui/Card'
import { Time } from './Time'

type Props = {
  record: { createdAt: string; updatedAt: string } | { created_at: string; updated_at: string }
  /** The facts to show before the record's times of creation and change, such as its id. */
  facts: [name: string, value: ReactNode][]
}

/** The card with a record's id, and the times when it was created and changed. */
export function SystemInformation({ record, facts }: Props) {
  const [created, updated] =
    'createdAt' in record ? [record.createdAt, record.updatedAt] : [record.created_at, record.updated_at]
  return (
    <Card title={t`System Information`} isInternal>
      <Facts
        facts={[
          ...facts,
          // Balanced, so that a line that is too narrow breaks between date and time.
          [t`Created At`, <Time key="created" at={created} className="block text-balance" />],
          [t`Updated At`, <Time key="updated" at={updated} className="block text-balance" />],
        ]}
      />
    </Card>
  )
}
