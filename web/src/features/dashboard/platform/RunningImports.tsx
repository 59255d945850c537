import { t } from '@lingui/core/macro'
import type { PlatformImport } from '~/core'
import { count } from '~/lib/format'
import { ProgressBar } from '~/ui/ProgressBar'
import { DashboardCard } from '../DashboardCard'

/** The imports of all corporations that have not ended. */
export function RunningImports({ imports }: { imports: PlatformImport[] }) {
  return (
    <DashboardCard title={t`Running imports`}>
      {imports.length === 0 && <p className="py-2 text-muted">{t`No import is running.`}</p>}
      <ul className="grid gap-4">
        {imports.map(({ id, corporation, file_name, total, processed }) => (
          <li key={id}>
            <p className="truncate font-medium">{corporation}</p>
            <ProgressBar
              value={processed}
              max={total}
              label={file_name}
              text={t`${count(processed)} of ${count(total)} rows`}
            />
          </li>
        ))}
      </ul>
    </DashboardCard>
  )
}
