import { t } from '@lingui/core/macro'
import { type FormEventHandler, type KeyboardEventHandler, type ReactNode, useRef, useState } from 'react'
import { Button } from './Button'
import { Dialog } from './Dialog'
import { useHeldWork } from './heldWork'
import { Notice } from './Notice'
import { Unsaved } from './Unsaved'

type Props = {
  open: boolean
  title: string
  description?: string
  submit: string
  /** A long form needs room for two columns. */
  wide?: boolean
  busy: boolean
  /** Submitting takes something away from somebody: that button isn't the default. */
  danger?: boolean
  /** What was typed can't be sent yet. */
  off?: boolean
  /** Something was typed that closing would throw away. */
  dirty: boolean
  /** A refusal that belongs to no field. */
  error?: string
  onSubmit: FormEventHandler<HTMLFormElement>
  onKeyDown?: KeyboardEventHandler<HTMLFormElement>
  onClose: () => void
  children: ReactNode
}

// In which somebody can write, or choose.
const FIELDS = 'input:not([readonly], [aria-hidden="true"]), textarea, [role="combobox"]'

/** A form in a dialog. It asks before it throws typed work away; a refused save keeps every character. */
export function FormModal(props: Props) {
  const { open, title, description, submit, wide, busy, danger, off, dirty, error, children } = props
  const { onSubmit, onKeyDown, onClose } = props
  const [asking, setAsking] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  // A keyboard that slides in would hide half of the form, so by touch nothing is begun for anybody.
  const firstField = () =>
    (!matchMedia('(pointer: coarse)').matches && form.current?.querySelector<HTMLElement>(FIELDS)) || true
  // While it is being saved too, which may be refused.
  useHeldWork(open && dirty)
  const close = () => {
    if (busy) return
    if (dirty) setAsking(true)
    else onClose()
  }
  // Where whoever pressed the button looks: a long form's beginning is out of sight.
  const refusal = error && (
    <Notice kind="error" isAnswer className={wide ? 'mt-3' : 'mb-4'}>
      {error}
    </Notice>
  )
  return (
    <Dialog
      open={open}
      title={title}
      description={description}
      size={wide ? 'wide' : 'large'}
      initialFocus={firstField}
      onClose={close}
    >
      <form ref={form} noValidate onSubmit={onSubmit} onKeyDown={onKeyDown} className="mt-5">
        {!wide && refusal}
        {children}
        {wide && refusal}
        <div className="mt-3 flex justify-end gap-2">
          {!danger && <Button onClick={close}>{t`Cancel`}</Button>}
          <Button kind={danger ? 'lose' : 'primary'} type="submit" busy={busy} off={off}>
            {submit}
          </Button>
          {danger && (
            <Button kind="primary" onClick={close}>
              {t`Cancel`}
            </Button>
          )}
        </div>
      </form>
      {/* Only while there is something to lose: a page may hold work of its own, and one thing alone can ask. */}
      {open && dirty && (
        <Unsaved
          dirty={!busy}
          asking={asking}
          onKeep={() => setAsking(false)}
          onDiscard={() => {
            setAsking(false)
            onClose()
          }}
        />
      )}
    </Dialog>
  )
}
