import { t } from '@lingui/core/macro'
import { useRef, useState } from 'react'
import { cx } from './cx'
import { Notice } from './Notice'

type Props = {
  /** Discards the restored input. Undefined if none was restored. */
  onDiscard: (() => void) | undefined
  /** What was lost. Shown even if no other input was restored. */
  note?: string | false
  className?: string
}

/** Says that a form's input was restored, and offers to discard it. */
export function DraftNotice({ onDiscard, note, className }: Props) {
  const notice = useRef<HTMLDivElement>(null)
  const [isDiscarded, setDiscarded] = useState(false)
  const discard = () => {
    // The button is about to disappear, and the focus must stay in the form.
    notice.current?.focus()
    setDiscarded(true)
    onDiscard?.()
  }
  return (
    <div ref={notice} role="status" tabIndex={-1} className="outline-none">
      {(onDiscard || note) && (
        <Notice kind="info" className={cx('touch:items-center!', className)}>
          {[onDiscard && t`Draft restored.`, note].filter(Boolean).join(' ')}{' '}
          {onDiscard && (
            <button
              type="button"
              className="inline-flex min-h-6 items-center rounded underline underline-offset-4 touch:min-h-touch"
              onClick={discard}
            >
              {t`Discard draft`}
            </button>
          )}
        </Notice>
      )}
      {!onDiscard && isDiscarded && <span className="sr-only">{t`Draft discarded.`}</span>}
    </div>
  )
}
