import { t } from '@lingui/core/macro'
import { ChevronDown } from 'lucide-react'
import { type ReactNode, useId, useState } from 'react'
import { cx } from '~/ui/cx'

type Props = {
  /** The fields are always shown, without a button that hides them. */
  isFixed: boolean
  /** One of these fields has a validation error, so they are shown. */
  hasError: boolean
  /** One of these fields was restored from a draft, so they are shown. */
  isRestored: boolean
  children: ReactNode
}

/** The less important fields of a vehicle's form (`children`), hidden at first, with a button that shows them. */
export function MoreDetails({ isFixed, hasError, isRestored, children }: Props) {
  const [isOpen, setIsOpen] = useState(false)
  const [wasRestored, setWasRestored] = useState(false)
  const id = useId()
  // An error opens the fields, and they stay open when it is corrected.
  if (hasError && !isOpen) setIsOpen(true)
  // A restored draft opens them once, so that the user can close them again.
  if (isRestored && !wasRestored) {
    setWasRestored(true)
    setIsOpen(true)
  }
  const isShown = isFixed || isOpen
  return (
    <>
      {!isFixed && (
        <button
          type="button"
          aria-expanded={isShown}
          aria-controls={id}
          className="mb-3 flex min-h-12 flex-wrap items-center justify-between gap-x-3 rounded-lg border border-line px-4 py-2 text-left font-medium hover:bg-subtle sm:col-span-2"
          onClick={() => setIsOpen(!isShown)}
        >
          {t`More details`}
          <span className="flex items-center gap-2 font-normal text-muted">
            {t`VIN, colour, fuel and more`}
            <ChevronDown
              aria-hidden
              className={cx('size-4 shrink-0 transition-transform', isShown && 'rotate-180')}
            />
          </span>
        </button>
      )}
      {/* Rendered while hidden, too, so that submitting can focus a field with an error. */}
      <div id={id} className={isShown ? 'contents' : 'hidden'}>
        {children}
      </div>
    </>
  )
}
