import { t } from '@lingui/core/macro'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { ListField } from '~/core/lists'
import { textOf } from '~/language'
import { cx } from '~/ui/cx'
import type { Fields } from '../useFields'

type Props = {
  fields: Fields
  onPick: (field: ListField) => void
  /** Classes of the list, such as its maximum height. */
  className?: string
}

/** A list from which the user chooses a field. Typing filters the list, and Enter chooses its first field. */
export function FieldPicker({ fields, onPick, className }: Props) {
  const [text, setText] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const input = useRef<HTMLInputElement>(null)
  // The input is focused here, because it may be rendered after its popover has opened. It isn't focused on touch
  // devices, where the on-screen keyboard would cover the fields.
  useEffect(() => {
    if (!matchMedia('(pointer: coarse)').matches) input.current?.focus()
  }, [])
  const wanted = text.trim().toLocaleLowerCase()
  const found = fields.offered.filter(({ label }) => textOf(label).toLocaleLowerCase().includes(wanted))
  const move = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (!step) return
    event.preventDefault()
    const stops = [input.current, ...(list.current?.querySelectorAll('button') ?? [])]
    const at = stops.indexOf(document.activeElement as HTMLButtonElement)
    stops[Math.min(Math.max(at + step, 0), stops.length - 1)]?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the arrow keys move the focus of the controls inside.
    <div className="grid gap-1" onKeyDown={move}>
      <input
        ref={input}
        type="text"
        autoComplete="off"
        aria-label={t`Find a field`}
        placeholder={t`Find a field`}
        value={text}
        onChange={event => setText(event.target.value)}
        onKeyDown={event => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          event.preventDefault()
          if (found[0]) onPick(found[0])
        }}
        className="box"
      />
      <ul ref={list} aria-label={t`Fields`} className={cx('overflow-y-auto p-0.5', className)}>
        {found.map(field => (
          <li key={field.name}>
            <button
              type="button"
              onClick={() => onPick(field)}
              className="option w-full text-left hover:bg-subtle focus-visible:-outline-offset-2 focus-visible:outline-solid"
            >
              {textOf(field.label)}
            </button>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="px-2.5 py-2 text-muted">{t`No field has that name.`}</p>}
    </div>
  )
}
