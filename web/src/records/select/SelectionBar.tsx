import { t } from '@lingui/core/macro'
import { Pencil, Trash2, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { count } from '~/lib/format'
import type { SelectionState } from './useSelection'

type Props = {
  state: SelectionState
  /** The number of records that the list finds. */
  total: number
  mayEdit: boolean
  mayDelete: boolean
  onClear: () => void
  onEdit: () => void
  onDelete: () => void
}

const look =
  'inline-flex h-9 shrink-0 items-center gap-2 rounded-lg px-2.5 font-medium whitespace-nowrap hover:bg-ground/15 touch:h-11 focus-visible:outline-ground'

function BarButton({
  onClick,
  label,
  children,
}: {
  onClick: () => void
  label?: string
  children: ReactNode
}) {
  return (
    <button type="button" aria-label={label} onClick={onClick} className={look}>
      {children}
    </button>
  )
}

/** What can be done with the selected records. It floats above the end of the page. */
export function SelectionBar({ state, total, mayEdit, mayDelete, onClear, onEdit, onDelete }: Props) {
  const { selection, ids, isEmpty, isSelecting, selectAll } = state
  const [selected, all] = [count(selection.isAll ? total : ids.length), count(total)]
  if (isEmpty && !isSelecting) return null
  return (
    <section
      aria-label={t`Selection`}
      className="sticky bottom-4 z-20 mx-auto mt-3 flex w-fit max-w-full flex-wrap items-center gap-x-1 rounded-xl bg-ink px-3 py-1.5 text-ground shadow-float print:hidden"
    >
      <p role="status" className="px-1 font-medium tabular-nums">
        {t`${selected} of ${all} selected`}
      </p>
      {!selection.isAll && ids.length < total && (
        <BarButton onClick={selectAll}>
          <span className="underline underline-offset-4">{t`Select all ${all}`}</span>
        </BarButton>
      )}
      {mayEdit && !isEmpty && (
        <BarButton onClick={onEdit}>
          <Pencil aria-hidden className="size-4" />
          {t`Edit…`}
        </BarButton>
      )}
      {mayDelete && !isEmpty && (
        <BarButton onClick={onDelete}>
          <Trash2 aria-hidden className="size-4" />
          {t`Delete…`}
        </BarButton>
      )}
      <BarButton label={t`Clear selection`} onClick={onClear}>
        <X aria-hidden className="size-4" />
      </BarButton>
    </section>
  )
}
