import { t } from '@lingui/core/macro'
import { Link, useLoaderData, useLocation, useNavigate } from 'react-router'
import type { Invoice } from '~/core'
import { type Outcome, useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { LoadFailed } from '~/records/LoadFailed'
import { type Origin, useOriginList } from '~/records/RecordLink'
import { Button, buttonClass } from '~/ui/Button'
import { Dialog } from '~/ui/Dialog'
import { DialogActions } from '~/ui/DialogActions'
import { Loading } from '~/ui/Skeleton'
import { InvoiceFacts } from './InvoiceFacts'

/** The dialog above the list that shows the details of an invoice. */
export function InvoiceDetails() {
  const { promise } = useLoaderData<{ promise: Promise<Outcome<Invoice>> }>()
  const { outcome } = useLoaded(promise)
  const { search } = useLocation()
  const navigate = useNavigate()
  const isFromList = useOriginList() !== undefined
  // Goes back to the list; if the user didn't come from it, replaces the invoice's history entry by the list.
  const close = () => void (isFromList ? navigate(-1) : navigate(paths.invoices + search, { replace: true }))
  return (
    <Dialog open isRoute title={t`Invoice Details`} description={t`Invoice Overview`} onClose={close}>
      <div className="my-5">
        {!outcome && <Skeleton />}
        {outcome?.ok && <InvoiceFacts invoice={outcome.value} />}
        {outcome?.ok === false && (
          <LoadFailed
            hasExit
            error={outcome.error}
            title={t`Failed to load this invoice.`}
            forbidden={t`You don't have access to this invoice`}
          />
        )}
      </div>
      <DialogActions>
        {outcome?.ok && (
          <Link
            to={paths.invoice(outcome.value._id)}
            replace
            state={{ list: paths.invoices + search } satisfies Origin}
            className={buttonClass('ghost')}
          >
            {t`Open invoice`}
          </Link>
        )}
        <Button onClick={close}>{t`Close`}</Button>
      </DialogActions>
    </Dialog>
  )
}

/** A placeholder as high as the facts that replace it. */
function Skeleton() {
  return (
    <Loading className="grid gap-x-6 gap-y-3 sm:grid-cols-[10rem_1fr]">
      {['w-40', 'w-48', 'w-52', 'w-full', 'w-24', 'w-24', 'w-28'].map((width, line) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines never change.
        <div key={line} className="contents">
          <div className="py-0.75 max-sm:-mb-2.5">
            <div className="skeleton h-3.5 w-24" />
          </div>
          <div className="py-0.75">
            <div className={`skeleton h-3.5 max-w-full ${width}`} />
          </div>
        </div>
      ))}
    </Loading>
  )
}
