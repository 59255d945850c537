import { Toast } from '@base-ui/react/toast'
import { t } from '@lingui/core/macro'
import { CircleAlert, CircleCheck, Info, TriangleAlert, X } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { isCommandKey } from './command'
import { cx } from './cx'
import { focusPageHeading } from './pageHeading'
import { isDialogOpen, isInTextField, openDialogs } from './shortcuts'
import { registerToaster, type ToastKind, type ToastMessage, UNDO_MS, type Undo } from './toastQueue'
import { UndoBar, UndoButton } from './UndoButton'
import { usePhone, useTablet } from './usePhone'

type ToastData = { undo?: Undo; isBusy?: boolean; isQuiet?: boolean }

const manager = Toast.createToastManager<ToastData>()

const kinds: Record<ToastKind, { icon: typeof Info; mark: string }> = {
  success: { icon: CircleCheck, mark: 'text-success' },
  info: { icon: Info, mark: 'text-muted' },
  warning: { icon: TriangleAlert, mark: 'text-warning' },
  error: { icon: CircleAlert, mark: 'text-danger' },
}

// Base UI gives toasts the role "dialog", which would tell screen readers that they need a response.
const groupRole = { role: 'group', 'aria-modal': undefined } as const
// Base UI hides the Dismiss button from screen readers until hover, though the keyboard can reach it.
const notHidden = { 'aria-hidden': undefined }

/** The visible toasts, newest first. */
const OPEN = '[data-toast]:not([data-limited], [data-ending-style])'

const focusedToast = () => document.activeElement?.closest<HTMLElement>('[data-toast]')

/** What had the focus before the toasts. */
let outside: Element | null = null

/** Moves the focus to what had it before the toasts, or to the page's heading if that has disappeared. */
function leaveToasts() {
  if (outside instanceof HTMLElement) outside.focus({ preventScroll: true })
  if (focusedToast()) focusPageHeading()
}

/** Leaves a closing toast that has the keyboard's focus. Base UI focuses another one if any is open. */
function leaveClosed(id: string) {
  const open = [...document.querySelectorAll<HTMLElement>(OPEN)]
  const hasOthers = open.some(({ dataset }) => dataset.toast !== id)
  const isFocused = focusedToast()?.dataset.toast === id && document.activeElement?.matches(':focus-visible')
  if (isFocused && !hasOthers) leaveToasts()
}

/** On F6, focuses the newest toast, or leaves the toasts. */
function useToastKey() {
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'F6') return
      // Base UI would store what has the focus now, and Tab would always lead there instead of to a toast.
      event.stopPropagation()
      const newest = document.querySelector<HTMLElement>(OPEN)
      if (!newest) return
      event.preventDefault()
      if (focusedToast()) leaveToasts()
      else newest.focus({ preventScroll: true })
    }
    addEventListener('keydown', onKey, { capture: true })
    return () => removeEventListener('keydown', onKey, { capture: true })
  }, [])
}

function Cards() {
  const { toasts } = Toast.useToastManager<ToastData>()
  useUndoKey(toasts)
  useToastKey()
  return toasts.map(item => {
    const { icon: Icon, mark } = kinds[item.type as ToastKind]
    const { undo, isBusy = false, isQuiet } = item.data ?? {}
    return (
      <Toast.Root
        key={item.id}
        toast={item}
        data-toast={item.id}
        {...groupRole}
        aria-live={isQuiet ? 'off' : undefined}
        className="group relative flex min-h-12 items-center gap-3 overflow-hidden rounded-xl border border-line bg-raised py-1.5 pr-1.5 pl-4 text-ink shadow-float narrow:flex-wrap narrow:justify-end narrow:gap-x-1 narrow:gap-y-0 narrow:pl-3 transition-[opacity,translate] duration-200 data-ending-style:opacity-0 data-limited:hidden data-starting-style:translate-y-3 data-starting-style:opacity-0"
      >
        <Icon aria-hidden className={cx('size-4.5 shrink-0 narrow:hidden', mark)} />
        {/* In a narrow window, the buttons are below the text if it would have less than half of the width. */}
        <div className="min-w-0 flex-1 [overflow-wrap:anywhere] narrow:min-w-1/2 narrow:hyphens-auto">
          <Toast.Title className="font-medium" />
          <Toast.Description className="text-muted" />
        </div>
        <span className="flex shrink-0 items-center">
          {undo && <UndoButton busy={isBusy} onClick={() => void runUndo(item.id, undo)} />}
          <Toast.Close
            {...notHidden}
            aria-label={t`Dismiss`}
            className="inline-flex size-9 shrink-0 items-center justify-center rounded-lg text-muted hover:bg-subtle hover:text-ink touch:size-touch"
          >
            <X aria-hidden className="size-4" />
          </Toast.Close>
        </span>
        {undo && !isBusy && <UndoBar time={UNDO_MS} />}
      </Toast.Root>
    )
  })
}

/** On Ctrl+Z (Cmd+Z on macOS), undoes the action that the newest visible toast with an Undo button reports. */
function useUndoKey(toasts: Toast.Root.ToastObject<ToastData>[]) {
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 'z' || !isCommandKey(event)) return
    if (event.defaultPrevented || event.repeat || isInTextField(event) || isDialogOpen()) return
    const item = toasts.find(
      ({ id, data, limited, transitionStatus }) =>
        data?.undo && !limited && transitionStatus !== 'ending' && !running.has(id),
    )
    if (!item?.data?.undo) return
    event.preventDefault()
    void runUndo(item.id, item.data.undo)
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** The ids of the toasts whose action is being undone. */
const running = new Set<string>()

/** Undoes the action that a toast reports, unless that is already running. The toast stays visible meanwhile. */
async function runUndo(id: string, undo: Undo) {
  if (running.has(id)) return
  running.add(id)
  manager.update(id, { timeout: 0, data: { undo, isBusy: true } })
  const { message, isDone, canRetry } = await undo()
  running.delete(id)
  if (canRetry) {
    // Changes the toast into an error with an Undo button, and shows it again if the user has dismissed it.
    add({ id, type: 'error', title: message, timeout: UNDO_MS, data: { undo } })
    return
  }
  manager.close(id)
  if (focusedToast()?.dataset.toast === id) leaveToasts()
  show({ type: isDone ? 'success' : 'error', title: message })
}

function add(message: ToastMessage): string {
  for (const dialog of openDialogs()) dialog.dataset.underToasts = ''
  const id: string = manager.add({ ...message, onClose: () => leaveClosed(id) })
  return id
}

const errors = new Set<string>()

function closeErrors() {
  for (const id of errors) manager.close(id)
  errors.clear()
}

function show(message: ToastMessage) {
  // A success message closes the toasts of earlier errors, which have most likely been resolved.
  if (message.type === 'success') closeErrors()
  const id = add(message)
  if (message.type === 'error') errors.add(id)
}

export function Toaster() {
  useEffect(() => registerToaster({ show, close: manager.close, closeErrors }), [])
  const [phone, tablet] = [usePhone(), useTablet()]
  // A form can report seven messages at once. A smaller window shows fewer toasts, so that the form stays visible.
  // Beyond the limit, the oldest toasts are hidden until newer ones close.
  const limit = phone ? 1 : tablet ? 3 : 7
  return (
    <Toast.Provider toastManager={manager} timeout={5000} limit={limit}>
      <Toast.Portal>
        {/* Toasts are at the bottom left, where they cover neither form buttons nor page numbers; above the tab bar of a
           phone, and above the buttons that a page or a dialog has at the bottom. */}
        <Toast.Viewport
          aria-label={t`Notifications`}
          onFocus={({ currentTarget, relatedTarget }) => {
            if (!currentTarget.contains(relatedTarget)) outside = relatedTarget
          }}
          className="toasts fixed bottom-[calc(var(--covered)+var(--bar)+1rem)] left-4 flex w-[calc(100vw-2rem)] max-w-96 flex-col gap-2 narrow:left-2 narrow:w-[calc(100vw-1rem)] touch:transition-[bottom] touch:delay-300 touch:duration-0 print:hidden"
        >
          <Cards />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  )
}
