import { Dialog as Base } from '@base-ui/react/dialog'
import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import { cx } from './cx'
import { useHistoryEntry } from './dialogHistory'
import { useFinalFocus } from './finalFocus'

type Props = {
  open: boolean
  title: string
  description?: ReactNode
  /** Called on Escape, Back, a click on the backdrop, and the close button. The caller decides whether to close. */
  onClose: () => void
  /** Called after the opening transition, when the content can be measured. */
  onOpened?: () => void
  initialFocus?: ComponentProps<typeof Base.Popup>['initialFocus']
  children: ReactNode
  /** The dialog is the page of a route, so it needs no history entry of its own. */
  isRoute?: boolean
  /** Small for a confirmation, large for a form, wide for a long form. */
  size?: 'small' | 'large' | 'wide'
}

/**
 * A modal dialog that keeps the focus inside, and returns it on close. Full screen on a phone, unless small, and its
 * title stays in view, except in a low window.
 */
export function Dialog(props: Props) {
  const { open, title, description, onClose, onOpened, initialFocus, children, size = 'large' } = props
  useHistoryEntry(open && !props.isRoute, onClose)
  const focus = useFinalFocus()
  return (
    <Base.Root
      open={open}
      onOpenChange={next => !next && onClose()}
      onOpenChangeComplete={is => is && onOpened?.()}
    >
      <Base.Portal>
        <Base.Backdrop
          // Also above another dialog.
          forceRender
          className="print:hidden fixed inset-0 z-40 bg-veil transition-opacity duration-150 data-ending-style:opacity-0 data-starting-style:opacity-0"
        />
        <Base.Viewport
          className={cx(
            // The column has a minimum width of 0, so that no content makes the dialog wider than the window.
            'fixed inset-0 z-40 grid grid-cols-[minmax(0,1fr)] overflow-y-auto print:static print:block print:p-0',
            size === 'small'
              ? 'p-4'
              : 'scroll-pt-16 scroll-pb-[calc(5.5rem+var(--below-caret))] md:p-6 low:scroll-pt-2 low:scroll-pb-[max(5rem,var(--below-caret))]',
          )}
        >
          <Base.Popup
            {...focus}
            initialFocus={initialFocus}
            className={cx(
              'relative m-auto w-full border-line bg-raised text-ink shadow-float outline-none transition-[opacity,scale] duration-150 data-ending-style:scale-97 data-ending-style:opacity-0 data-starting-style:scale-97 data-starting-style:opacity-0',
              'print:max-w-none print:border-0 print:shadow-none',
              size === 'small'
                ? 'max-w-md rounded-xl border p-6'
                : 'p-5 max-md:flex max-md:min-h-full max-md:flex-col max-md:has-[.dialog-body]:h-dvh low:has-[.dialog-body]:h-auto md:rounded-xl md:border md:p-6',
              size === 'large' && 'md:max-w-xl',
              size === 'wide' && 'md:max-w-3xl',
            )}
          >
            <div
              className={cx(
                'flex items-start justify-between gap-2',
                size !== 'small' &&
                  'max-md:sticky max-md:top-0 max-md:z-10 max-md:-mx-5 max-md:-mt-5 max-md:border-b max-md:border-line max-md:bg-raised max-md:px-5 max-md:py-4 low:static',
              )}
            >
              <Base.Title className="min-w-0 text-lg leading-6 font-semibold tracking-tight [overflow-wrap:anywhere]">
                {title}
              </Base.Title>
              <Base.Close
                aria-label={t`Close dialog`}
                className="-my-2.5 -mr-2.5 inline-flex size-11 max-md:size-touch shrink-0 items-center justify-center rounded-lg text-muted hover:bg-subtle hover:text-ink print:hidden"
              >
                <X aria-hidden className="size-4.5" />
              </Base.Close>
            </div>
            {description && (
              <Base.Description
                className={cx('mt-1 text-muted [overflow-wrap:anywhere]', size !== 'small' && 'max-md:mt-4')}
              >
                {description}
              </Base.Description>
            )}
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  )
}
