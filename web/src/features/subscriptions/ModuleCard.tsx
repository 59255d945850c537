import { t } from '@lingui/core/macro'
import type { CorporationResource } from '~/core'
import { Badge } from '~/ui/Badge'
import { cx } from '~/ui/cx'
import { iconOf } from '~/ui/icons'

type Props = { module: CorporationResource; isIncluded?: boolean }

export function ModuleCard({ module, isIncluded = false }: Props) {
  const Icon = iconOf(module.icon)
  return (
    <li className={cx('card flex flex-col p-5', !isIncluded && 'border-dashed')}>
      <div className="mb-4 flex items-start justify-between gap-3">
        <span
          aria-hidden
          className={cx(
            'flex size-10 items-center justify-center rounded-lg',
            isIncluded ? 'bg-soft text-accent-text' : 'bg-subtle text-muted',
          )}
        >
          <Icon className="size-5" />
        </span>
        {isIncluded ? (
          <Badge kind="success">{t`Included`}</Badge>
        ) : (
          <Badge kind="quiet">{t`Not included`}</Badge>
        )}
      </div>
      <h3 className="text-base font-semibold">{module.title}</h3>
      <p className="mt-1 text-muted">{module.description}</p>
    </li>
  )
}
