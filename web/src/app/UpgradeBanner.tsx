import { t } from '@lingui/core/macro'
import { ArrowUpCircle, X } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { paths } from '~/lib/paths'
import { IconButton } from '~/ui/IconButton'

type Props = {
  /** The name of the module of this page if the corporation hasn't subscribed to it; otherwise undefined. */
  feature: string | undefined
  onClose: () => void
}

/** Says that the corporation hasn't subscribed to a module. Once closed, it reappears only for another such module. */
export function UpgradeBanner({ feature, onClose }: Props) {
  const [closed, setClosed] = useState<string>()
  if (feature && closed && feature !== closed) setClosed(undefined)
  return (
    // The live region is always rendered, because screen readers announce only texts that are added to an existing one.
    <div role="status" className="print:hidden">
      {feature && feature !== closed && (
        <div className="border-b border-line bg-soft">
          <div className="mx-auto flex w-full max-w-420 items-center gap-3 py-1 pr-1 pl-4 md:px-6">
            <ArrowUpCircle aria-hidden className="size-4.5 shrink-0 text-accent-text max-sm:hidden" />
            <p className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]">
              {t`Upgrade Required for`} {feature}
            </p>
            <Link
              to={paths.subscriptions}
              className="inline-flex h-9 shrink-0 items-center rounded-lg px-2 font-medium text-accent-text underline underline-offset-3 max-md:h-touch touch:h-touch"
            >
              {t`View subscriptions`}
            </Link>
            <IconButton
              label={t`Close the upgrade notice`}
              icon={<X aria-hidden className="size-4.5" />}
              onClick={() => {
                setClosed(feature)
                onClose()
              }}
            />
          </div>
        </div>
      )}
    </div>
  )
}
