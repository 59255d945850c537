import { t } from '@lingui/core/macro'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { cx } from '~/ui/cx'

type Props = {
  /** The fields are shown, and can't be hidden. */
  isFixed: boolean
  /** A hidden field has an error. */
  hasError: boolean
  children: ReactNode
}

/** The fields that a new vehicle can get later. They are hidden at first. */
export function MoreDetails({ isFixed, hasError, children }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const id = useId()
  // It stays open when the error is corrected.
  if (hasError && !isOpen) setIsOpen(true)
  const isShown = isFixed || isOpen
  return (
    <>
      {!isFixed && (
        <button
          type="button"
          aria-expanded={isShown}
          aria-controls={id}
          className="mb-3 flex min-h-12 items-center justify-between gap-3 rounded-lg border border-line px-4 text-left font-medium hover:bg-subtle sm:col-span-2"
          onClick={() => setIsOpen(!isShown)}
        >
          {t`More details`}
          <span className="flex items-center gap-2 font-normal text-muted">
            {t`VIN, colour, fuel and more`}
            <ChevronDown aria-hidden className={cx('size-4 transition-transform', isShown && 'rotate-180')} />
          </span>
        </button>
      )}
      {/* Mounted while hidden, so that an error moves the focus to its field. */}
      <div id={id} className={isShown ? 'contents' : 'hidden'}>
        {children}
      </div>
    </>
  )
}
