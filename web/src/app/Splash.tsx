import { t } from '@lingui/core/macro'
import { site } from '~/lib/site'
import { Brand } from '~/ui/Brand'

/** The product's brand, shown while the first page loads. */
export function Splash() {
  return (
    <div role="status" className="grid min-h-dvh place-items-center">
      <div className="animate-pulse motion-reduce:animate-none">
        <Brand name={site.brand} />
        <span className="sr-only">{t`is loading`}</span>
      </div>
    </div>
  )
}
