import { Toast } from '@base-ui/react/toast'
import { CircleAlert, CircleCheck, X } from 'lucide-react'

const manager = Toast.createToastManager()

/** Says something in passing. Normal priority throughout: an urgent toast hides itself from assistive technology. */
export const toast = {
  success: (message: string) => void manager.add({ title: message, type: 'success' }),
  error: (message: string) => void manager.add({ title: message, type: 'error', timeout: 8000 }),
}

function Cards() {
  const { toasts } = Toast.useToastManager()
  return toasts.map(item => (
    <Toast.Root
      key={item.id}
      toast={item}
      className="flex min-h-12 items-center gap-3 rounded-xl border border-line bg-raised py-1.5 pr-1.5 pl-4 text-ink shadow-float transition-[opacity,translate] duration-200 data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-3 data-starting-style:opacity-0"
    >
      {item.type === 'error' ? (
        <CircleAlert aria-hidden className="size-4.5 shrink-0 text-danger" />
      ) : (
        <CircleCheck aria-hidden className="size-4.5 shrink-0 text-success" />
      )}
      <Toast.Title className="min-w-0 flex-1 font-medium [overflow-wrap:anywhere]" />
      <Toast.Close
        aria-label="Dismiss"
        className="inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-muted hover:bg-subtle hover:text-ink touch:size-11"
      >
        <X aria-hidden className="size-4" />
      </Toast.Close>
    </Toast.Root>
  ))
}

/** Where toasts show: once, around the whole app. */
export function Toasts({ children }: { children: React.ReactNode }) {
  return (
    <Toast.Provider toastManager={manager} timeout={5000}>
      {children}
      <Toast.Portal>
        <Toast.Viewport className="fixed right-4 bottom-4 z-50 flex w-[calc(100vw-2rem)] max-w-96 flex-col gap-2 print:hidden">
          <Cards />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}
