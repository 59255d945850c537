import { Toast } from '@base-ui/react/toast'
import { t } from '@lingui/core/macro'
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { cx } from './cx'
import { usePhone, useTablet } from './usePhone'

const manager = Toast.createToastManager()

const kinds = {
  success: { icon: CircleCheck, mark: 'text-success' },
  info: { icon: Info, mark: 'text-muted' },
  warning: { icon: TriangleAlert, mark: 'text-warning' },
  error: { icon: CircleAlert, mark: 'text-danger' },
}

type Kind = keyof typeof kinds
type Saying = { id?: string; title?: string; description?: string; type: Kind; timeout?: number }

// What was said before there was a place to show it, such as by the loader of the first page.
const early: Saying[] = []
let isShown = false

function say(saying: Saying) {
  if (isShown) manager.add(saying)
  else early.push(saying)
}

/** What is said, under a title if it has one. */
const words = (message: string, title?: string) =>
  title ? { title, description: message } : { title: message }

/** Says something in passing. Normal priority throughout: an urgent toast hides itself from assistive technology. */
export const toast = {
  success: (message: string) => say({ ...words(message), type: 'success' }),
  info: (message: string) => say({ ...words(message), type: 'info' }),
  warning: (message: string, title?: string) =>
    say({ ...words(message, title), type: 'warning', timeout: 8000 }),
  /** Said again while it still shows, it only stays longer. */
  error: (message: string, title?: string) =>
    say({ ...words(message, title), id: `${title}: ${message}`, type: 'error', timeout: 8000 }),
}

// Base UI calls a toast a dialog; but nothing has to be answered here.
const unasking = { role: 'group', 'aria-modal': undefined } as const
// It would hide the button until the toasts are hovered, though the keyboard reaches it all the time.
const unhidden = { 'aria-hidden': undefined }

function Cards() {
  const { toasts } = Toast.useToastManager()
  return toasts.map(item => {
    const { icon: Icon, mark } = kinds[item.type as Kind]
    return (
      <Toast.Root
        key={item.id}
        toast={item}
        {...unasking}
        className="flex min-h-12 items-center gap-3 rounded-xl border border-line bg-raised py-1.5 pr-1.5 pl-4 text-ink shadow-float transition-[opacity,translate] duration-200 data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-3 data-starting-style:opacity-0"
      >
        <Icon aria-hidden className={cx('size-4.5 shrink-0', mark)} />
        <div className="min-w-0 flex-1 [overflow-wrap:anywhere]">
          <Toast.Title className="font-medium" />
          <Toast.Description className="text-muted" />
        </div>
        <Toast.Close
          {...unhidden}
          aria-label={t`Dismiss`}
          className="inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-muted hover:bg-subtle hover:text-ink touch:size-11"
        >
          <X aria-hidden className="size-4" />
        </Toast.Close>
      </Toast.Root>
    )
  })
}

/** Where toasts show: once, around the whole app. */
export function Toasts({ children }: { children: ReactNode }) {
  useEffect(() => {
    isShown = true
    for (const saying of early.splice(0)) manager.add(saying)
    return () => {
      isShown = false
    }
  }, [])
  const [phone, tablet] = [usePhone(), useTablet()]
  // As many as a form may say at once, where they leave enough of it in sight. The others follow.
  const limit = phone ? 1 : tablet ? 3 : 7
  return (
    <Toast.Provider toastManager={manager} timeout={5000} limit={limit}>
      {children}
      <Toast.Portal>
        {/* A form's buttons are at its right, the numbers of pages too; on a phone they are at its foot. */}
        <Toast.Viewport className="fixed bottom-4 left-4 max-md:top-3 max-md:bottom-auto z-50 flex w-[calc(100vw-2rem)] max-w-96 flex-col gap-2 print:hidden">
          <Cards />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}
