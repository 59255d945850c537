import { Toast } from '@base-ui/react/toast'
import { t } from '@lingui/core/macro'
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect } from 'react'
import { cx } from './cx'
import { registerToaster, type ToastKind, type ToastMessage } from './toastQueue'
import { usePhone, useTablet } from './usePhone'

const manager = Toast.createToastManager()

const kinds: Record<ToastKind, { icon: typeof Info; mark: string }> = {
  success: { icon: CircleCheck, mark: 'text-success' },
  info: { icon: Info, mark: 'text-muted' },
  warning: { icon: TriangleAlert, mark: 'text-warning' },
  error: { icon: CircleAlert, mark: 'text-danger' },
}

// Base UI gives toasts the role "dialog", but they need no response.
const groupRole = { role: 'group', 'aria-modal': undefined } as const
// Base UI hides the button until hover, though the keyboard can reach it.
const notHidden = { 'aria-hidden': undefined }

function Cards() {
  const { toasts } = Toast.useToastManager()
  return toasts.map(item => {
    const { icon: Icon, mark } = kinds[item.type as ToastKind]
    return (
      <Toast.Root
        key={item.id}
        toast={item}
        {...groupRole}
        className="flex min-h-12 items-center gap-3 rounded-xl border border-line bg-raised py-1.5 pr-1.5 pl-4 text-ink shadow-float transition-[opacity,translate] duration-200 data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-3 data-starting-style:opacity-0"
      >
        <Icon aria-hidden className={cx('size-4.5 shrink-0', mark)} />
        <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <Toast.Title className="font-medium" />
          <Toast.Description className="text-muted" />
        </div>
        <Toast.Close
          {...notHidden}
          aria-label={t`Dismiss`}
          className="inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-muted hover:bg-subtle hover:text-ink touch:size-11"
        >
          <X aria-hidden className="size-4" />
        </Toast.Close>
      </Toast.Root>
    )
  })
}

const errors = new Set<string>()

function show(message: ToastMessage) {
  if (message.type === 'success') {
    // A success closes earlier errors, which have most likely been resolved.
    for (const id of errors) manager.close(id)
    errors.clear()
  }
  const id = manager.add(message)
  if (message.type === 'error') errors.add(id)
}

export function Toaster() {
  useEffect(() => registerToaster(show), [])
  const [phone, tablet] = [usePhone(), useTablet()]
  // A form can report seven messages at once. A smaller window shows fewer, so that they leave the form visible. Beyond
  // the limit, the oldest are hidden until newer ones close.
  const limit = phone ? 1 : tablet ? 3 : 7
  return (
    <Toast.Provider toastManager={manager} timeout={5000} limit={limit}>
      <Toast.Portal>
        {/* Bottom left, away from form buttons and page numbers; on phones at the top, away from the sheet's
           buttons and close button. */}
        <Toast.Viewport className="fixed bottom-4 left-4 max-md:top-3 max-md:bottom-auto max-md:w-[calc(100vw-5.25rem)] z-50 flex w-[calc(100vw-2rem)] max-w-96 flex-col gap-2 print:hidden">
          <Cards />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}
