import { t } from '@lingui/core/macro'
import { usePhone } from './usePhone'

export function SkeletonRows({ rows, columns }: { rows: number; columns: number }) {
  const phone = usePhone()
  const lines = Array.from({ length: rows }, (_, row) => row)
  const cells = Array.from({ length: phone ? 1 : columns }, (_, cell) => cell)
  return (
    <div role="status">
      <span className="sr-only">{t`Loading`}</span>
      <div aria-hidden className="divide-y divide-line">
        {!phone && <div className="h-10" />}
        {lines.map(row => (
          <div
            key={row}
            className={phone ? 'h-21 px-4 py-3.5' : 'flex h-11 items-center touch:h-14 gap-8 px-4'}
          >
            {cells.map(cell => (
              <div key={cell} className="flex-1">
                <div className={`skeleton h-3.5 ${(row + cell) % 3 === 0 ? 'w-2/3' : 'w-1/2'}`} />
                {phone && <div className="skeleton mt-3 h-3 w-3/4" />}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}
