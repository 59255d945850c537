import { Select as Base } from '@base-ui/react/select'
import { Check, ChevronsUpDown } from 'lucide-react'
import { type Ref, useRef } from 'react'
import { cx } from './cx'

export type Choice<V extends string> = { value: V; label: string }

type Props<V extends string> = {
  label: string
  value: V | ''
  choices: readonly Choice<V>[]
  placeholder?: string
  onChange: (value: V) => void
  onBlur?: () => void
  required?: boolean
  invalid?: boolean
  /** The id of the element that describes the select. In a form field, that is its help or error. */
  describedBy?: string
  className?: string
  ref?: Ref<HTMLButtonElement>
}

/** A select. Its label is only announced; the caller renders a visible one where it is needed. */
export function Select<V extends string>(props: Props<V>) {
  const { label, value, choices, placeholder, onChange, onBlur, required, invalid, className, ref } = props
  // The options are rendered here, inside the select's dialog or landmark, instead of at the end of the page.
  const place = useRef<HTMLElement>(null)
  const trigger = useRef<HTMLElement>(null)
  const list = useRef<HTMLDivElement>(null)
  // Base UI returns the focus only when the list has faded out: a Tab before would lose it.
  const returnFocus = () => {
    if (list.current?.contains(document.activeElement)) trigger.current?.focus({ preventScroll: true })
  }
  return (
    <Base.Root
      items={choices}
      value={value || null}
      required={required}
      onValueChange={next => next !== null && onChange(next)}
      onOpenChange={(_, { reason }) => {
        // Not before the page has rendered the choice, which may move the focus elsewhere.
        if (reason === 'item-press' || reason === 'escape-key') queueMicrotask(returnFocus)
      }}
    >
      <Base.Trigger
        ref={ref}
        onBlur={onBlur}
        aria-label={label}
        aria-invalid={invalid || undefined}
        {...(props.describedBy && { 'aria-describedby': props.describedBy })}
        className={cx(
          'box flex min-w-0 cursor-pointer items-center justify-between gap-2 text-left font-medium',
          className,
        )}
      >
        <Base.Value placeholder={placeholder} className="truncate data-placeholder:text-muted" />
        <Base.Icon
          ref={icon => {
            trigger.current = icon?.closest('button') ?? null
            place.current = icon?.closest<HTMLElement>('main, [role="dialog"]') ?? null
          }}
        >
          <ChevronsUpDown aria-hidden className="size-4 text-muted" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal container={place}>
        <Base.Positioner
          sideOffset={6}
          alignItemWithTrigger={false}
          positionMethod="fixed"
          className="z-35 outline-none"
        >
          <Base.Popup
            ref={list}
            className="popup max-h-[min(280px,var(--available-height))] max-w-(--available-width) min-w-(--anchor-width) overflow-y-auto"
          >
            {choices.map(choice => (
              <Base.Item key={choice.value} value={choice.value} className="option justify-between">
                <Base.ItemText className="min-w-0 [overflow-wrap:anywhere]">{choice.label}</Base.ItemText>
                <Base.ItemIndicator>
                  <Check aria-hidden className="size-4" />
                </Base.ItemIndicator>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
