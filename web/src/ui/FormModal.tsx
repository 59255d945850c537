import { t } from '@lingui/core/macro'
import {
  createContext,
  type FormEventHandler,
  type KeyboardEventHandler,
  type ReactNode,
  useContext,
  useEffect,
  useRef,
  useState,
} from 'react'
import { Button } from './Button'
import { Dialog } from './Dialog'
import { DialogActions } from './DialogActions'
import { ErrorNotice } from './Notice'
import { Unsaved } from './Unsaved'
import { useUnsavedChanges } from './unsavedChanges'

type Props = {
  title: string
  description?: string
  submit: string
  /** A wide dialog, for a long form in two columns. */
  wide?: boolean
  busy: boolean
  /** Submitting is destructive. Then Cancel is the highlighted button and the last one. */
  danger?: boolean
  /** The form can't be submitted yet. */
  ariaDisabled?: boolean
  /** The form has unsaved changes, so closing asks for confirmation. */
  dirty: boolean
  /** An error that belongs to no field. */
  error?: string
  onSubmit: FormEventHandler<HTMLFormElement>
  onKeyDown?: KeyboardEventHandler<HTMLFormElement>
  onClose: () => void
  children: ReactNode
}

// Selects the form's editable fields.
const FIELDS =
  'input:not([readonly], [aria-hidden="true"], :disabled), textarea:not(:disabled), [role="combobox"]:not(:disabled)'
// Selects the fields of the group where the form opens, instead of its first field.
const START = `[data-start] :is(${FIELDS})`

/**
 * For a form above another one: whether that one has unsaved changes, a function that reports its own to it, and one that
 * closes the lowest form, and with it all above.
 */
const FormBelow = createContext<
  { dirty: boolean; report: (isDirty: boolean) => void; closeAll: () => void } | undefined
>(undefined)

/** A form in a dialog. It asks before unsaved changes are discarded, and keeps all input when saving fails. */
export function FormModal(props: Props) {
  const { title, description, submit, wide, busy, danger, ariaDisabled, dirty, error, children } = props
  const { onSubmit, onKeyDown, onClose } = props
  const [isAsking, setIsAsking] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector)
  // On touch devices no field is focused, because the on-screen keyboard would cover half of the form.
  const firstField = () => find(START) || (!matchMedia('(pointer: coarse)').matches && find(FIELDS)) || true
  // Changes count as unsaved while the form is being saved, because the server may reject it.
  useUnsavedChanges(dirty)
  const below = useContext(FormBelow)
  const report = below?.report
  const [isDirtyAbove, setDirtyAbove] = useState(false)
  useEffect(() => {
    if (!dirty || !report) return
    report(true)
    return () => report(false)
  }, [dirty, report])
  const closeAll = below?.closeAll ?? onClose
  const close = () => {
    if (busy) return
    if (dirty) setIsAsking(true)
    else onClose()
  }
  // In a wide form the error is next to the submit button, because the top may be scrolled out of view.
  const errorNotice = <ErrorNotice message={error} scrollsIntoView className={wide ? 'mt-3' : 'mb-4'} />
  return (
    <Dialog
      open
      title={title}
      description={description}
      size={wide ? 'wide' : 'large'}
      initialFocus={firstField}
      onClose={close}
    >
      <form
        ref={form}
        noValidate
        // For React a form in a dialog above this one is inside this one, so its submission arrives here too.
        onSubmit={event => event.target === event.currentTarget && onSubmit(event)}
        onKeyDown={onKeyDown}
        className="mt-5 max-md:flex max-md:min-h-0 max-md:grow max-md:flex-col"
      >
        {/* On a phone only this part scrolls, so that the buttons don't cover any field; in a low window the whole
            dialog does. The padding and the scroll padding keep fields clear of a toast at the bottom. The part is
            positioned, because it would not clip positioned elements inside otherwise, such as hidden labels. */}
        <div className="dialog-body max-md:relative max-md:-mx-5 max-md:min-h-0 max-md:grow max-md:scroll-pt-2 max-md:scroll-pb-[max(5rem,var(--below-caret))] max-md:overflow-y-auto max-md:px-5 max-md:pb-20 low:overflow-visible low:pb-4">
          {!wide && errorNotice}
          <FormBelow value={{ dirty, report: setDirtyAbove, closeAll }}>{children}</FormBelow>
          {wide && errorNotice}
        </div>
        <DialogActions>
          {!danger && <Button onClick={close}>{t`Cancel`}</Button>}
          <Button kind={danger ? 'danger' : 'primary'} type="submit" busy={busy} ariaDisabled={ariaDisabled}>
            {submit}
          </Button>
          {danger && (
            <Button kind="primary" onClick={close}>
              {t`Cancel`}
            </Button>
          )}
        </DialogActions>
      </form>
      {/* Only while dirty, and without a dirty form above, which asks for both: the router allows one blocker at a time, and
          the page may have an `Unsaved` of its own. */}
      {dirty && !isDirtyAbove && (
        <Unsaved
          dirty={!busy || below?.dirty === true}
          isAsking={isAsking}
          onKeep={() => setIsAsking(false)}
          onDiscard={() => {
            setIsAsking(false)
            onClose()
          }}
          // The form below would stay open, with its draft, until the next page has loaded.
          onLeave={closeAll}
        />
      )}
    </Dialog>
  )
}
