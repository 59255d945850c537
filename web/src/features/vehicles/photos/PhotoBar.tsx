import { t } from '@lingui/core/macro'
import { ArrowLeft, ArrowRight, Star, Trash2 } from 'lucide-react'
import { IconButton } from '~/ui/IconButton'

type Props = {
  /** The index of the photo that is shown, starting at 0. */
  at: number
  total: number
  isBusy: boolean
  onMove: (to: number) => void
  onRemove: () => void
}

/** The buttons that move or remove the photo that is shown. */
export function PhotoBar({ at, total, isBusy, onMove, onRemove }: Props) {
  const icon = 'size-4.5'
  // A disabled button stays focusable, so that the button that moved the photo to the end keeps the focus.
  const moves = (to: number) => {
    const isDisabled = isBusy || to < 0 || to >= total || to === at
    return {
      'aria-disabled': isDisabled,
      className: 'aria-disabled:opacity-40',
      onClick: () => !isDisabled && onMove(to),
    }
  }
  return (
    <div className="flex flex-wrap">
      {total > 1 && (
        <>
          <IconButton label={t`Make cover`} icon={<Star aria-hidden className={icon} />} {...moves(0)} />
          <IconButton
            label={t`Move photo back`}
            icon={<ArrowLeft aria-hidden className={icon} />}
            {...moves(at - 1)}
          />
          <IconButton
            label={t`Move photo forward`}
            icon={<ArrowRight aria-hidden className={icon} />}
            {...moves(at + 1)}
          />
        </>
      )}
      <IconButton
        label={t`Remove photo…`}
        className="ml-2 text-danger hover:text-danger"
        aria-disabled={isBusy}
        icon={<Trash2 aria-hidden className={icon} />}
        onClick={() => !isBusy && onRemove()}
      />
    </div>
  )
}
