import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { type ReactNode, type Ref, useRef } from 'react'
import { count } from '~/lib/format'
import { bottomBar } from '~/ui/bottomBar'
import { cx } from '~/ui/cx'
import { toast } from '~/ui/Toasts'
import type { SelectionState } from './useSelection'

type Props = {
  state: SelectionState
  /** The number of records that the list finds. */
  total: number
  /** Selects all records that the list finds, on all pages. Without it, only rows that were shown can be selected. */
  onSelectAll?: () => void
  onClear: () => void
  /** The buttons of the actions. Hidden while no record is selected. */
  children: ReactNode
}

const look =
  'inline-flex h-9 shrink-0 items-center justify-center gap-2 rounded-lg px-2.5 font-medium whitespace-nowrap hover:bg-ground/15 touch:h-touch touch:min-w-touch focus-visible:outline-ground'

const apart =
  'relative not-first:ml-4 not-first:before:absolute not-first:before:-left-2 not-first:before:h-5 not-first:before:border-l not-first:before:border-ground/40'

type BarButtonProps = {
  onClick: () => void
  label?: string
  busy?: boolean
  /** The button deletes something. A line separates it from the buttons before it. */
  isDanger?: boolean
  /** Why the button can't be used now. The tooltip and a click show this text. */
  unavailable?: string
  ref?: Ref<HTMLButtonElement>
  children: ReactNode
}

/** A button of the selection bar. While busy, it ignores clicks. */
export function BarButton(props: BarButtonProps) {
  const { onClick, label, busy = false, isDanger, unavailable, ref, children } = props
  return (
    <button
      ref={ref}
      type="button"
      aria-label={label}
      aria-busy={busy || undefined}
      aria-disabled={unavailable !== undefined || undefined}
      title={unavailable}
      onClick={() => {
        if (unavailable) toast.info(unavailable)
        else if (!busy) onClick()
      }}
      className={cx(look, isDanger && apart, (busy || unavailable) && 'opacity-55')}
    >
      {children}
    </button>
  )
}

/**
 * The bar with the number of selected records and the actions on them, shown while records are being
 * selected. It stays at the bottom of the window.
 */
export function SelectionBar({ state, total, onSelectAll, onClear, children }: Props) {
  const { selection, ids, isEmpty, isSelecting } = state
  const [selected, all] = [count(selection.isAll ? total : ids.length), count(total)]
  const clear = useRef<HTMLButtonElement>(null)
  const isShown = !isEmpty || isSelecting
  const text = t`${selected} of ${all} selected`
  return (
    <>
      {/* Before the bar, because screen readers don't announce a region that appears with its text. */}
      <p role="status" className="sr-only">
        {isShown && text}
      </p>
      {isShown && (
        // The space below is a part of the bar, above which toasts are shown.
        <div
          ref={bottomBar}
          className="bottom-bar pointer-events-none sticky bottom-(--covered) z-20 mt-3 pb-4 print:hidden"
        >
          <section
            aria-label={t`Selection`}
            className="pointer-events-auto mx-auto flex w-fit max-w-full flex-wrap items-center gap-x-1 rounded-xl bg-ink px-3 py-1.5 text-ground shadow-float forced-colors:border"
          >
            <p className="px-1 font-medium tabular-nums max-sm:flex-1">{text}</p>
            {onSelectAll && !selection.isAll && ids.length < total && (
              <BarButton
                onClick={() => {
                  // This button disappears.
                  clear.current?.focus()
                  onSelectAll()
                }}
              >
                <span className="underline underline-offset-4">{t`Select all ${all}`}</span>
              </BarButton>
            )}
            <BarButton ref={clear} label={t`Clear selection`} onClick={onClear}>
              <X aria-hidden className="size-4" />
            </BarButton>
            {/* On a phone in a line of their own. */}
            {!isEmpty && <span className="inline-flex flex-wrap max-sm:basis-full">{children}</span>}
          </section>
        </div>
      )}
    </>
  )
}
