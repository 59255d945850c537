import { Autocomplete } from '@base-ui/react/autocomplete'
import { plural, t } from '@lingui/core/macro'
import { CloudOff, LoaderCircle, Plus, TriangleAlert } from 'lucide-react'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { type FieldValues, useController } from 'react-hook-form'
import { core } from '~/core'
import { messageOf } from '~/core/problem'
import { textOf } from '~/language'
import { count } from '~/lib/format'
import { Button } from '~/ui/Button'
import { cx } from '~/ui/cx'
import { FieldFrame, type FieldProps } from '~/ui/FieldFrame'
import { type Found, type Suggestions, useSuggestions } from './useSuggestions'

/** The last option, which is no record. */
const CREATE = 'create'

const optionClass =
  // The transparent outline becomes visible in forced-colors mode.
  'option outline-transparent data-highlighted:outline-2 data-highlighted:-outline-offset-2 data-highlighted:outline-solid'

type Creation<S> = {
  label: string
  /** Called with the typed text, which stays until `choose` is called with the created record. */
  start: (text: string, choose: (created: S) => void) => void
}

type Props<T extends FieldValues, S> = FieldProps<T> & {
  /** Returns the suggestions for a text. Must be defined at module scope or memoized. */
  find: (text: string, signal: AbortSignal) => Promise<Found<S>>
  /** Returns the text that is entered when the user chooses a suggestion. */
  titleOf: (suggestion: S) => string
  /** Returns a text below the title, which distinguishes suggestions with the same title. */
  noteOf: (suggestion: S) => string
  idOf: (suggestion: S) => string
  onChoose: (suggestion: S) => void
  /**
   * The field adds what is chosen to a list: choosing a suggestion empties the field, and Enter chooses the first one
   * instead of submitting the form.
   */
  isAdder?: boolean
  /** Creates a record, which is offered below the suggestions. */
  creation?: Creation<S> | undefined
  /** Called when the user changes the text by typing. */
  onType: () => void
  /** Text that is shown if nothing was found. */
  nothing: string
  /** Text that is shown if the search failed. */
  failed: string
  /** An error of another field to show at this one. It takes precedence over the error of this field's value. */
  error?: string
  /** Called with the input. */
  inputRef?: (input: HTMLInputElement | null) => void
  /** An element at the end of the field, inside its border. */
  end?: ReactNode
}

/** A labelled text field, bound to a form field, that suggests records while typing. Any text can be entered. */
export function SuggestField<T extends FieldValues, S>(props: Props<T, S>) {
  const { control, name, required, find, titleOf, noteOf, idOf, error, inputRef, end } = props
  const { isAdder = false, creation, onChoose, onType } = props
  const { field, fieldState } = useController({ control, name })
  const [typed, setTyped] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  // The suggestions are rendered here, inside the field's dialog or landmark, instead of at the end of the page.
  const place = useRef<HTMLElement>(null)
  const { suggestions, retry } = useSuggestions(isOpen ? typed : undefined, find)
  const isShown = isOpen && suggestions.state !== 'none'
  const found = suggestions.state === 'found' ? suggestions.found : undefined
  const hasCreation = creation !== undefined
  const options = useMemo((): (S | typeof CREATE)[] => {
    if (!found) return []
    return hasCreation ? [...found, CREATE] : found
  }, [found, hasCreation])
  const state = error ? { ...fieldState, invalid: true, error: { type: 'rule', message: error } } : fieldState
  const choose = (record: S) => {
    field.onChange(isAdder ? '' : titleOf(record))
    setTyped(undefined)
    onChoose(record)
  }
  return (
    <FieldFrame {...props} state={state}>
      <Autocomplete.Root
        items={options}
        filter={null}
        value={(field.value as string | undefined) ?? ''}
        onValueChange={(text, { reason }) => {
          const isChosen = reason === 'item-press'
          field.onChange(isChosen && isAdder ? '' : text)
          if (isChosen) return setTyped(undefined)
          setTyped(text.trim())
          onType()
        }}
        open={isShown}
        onOpenChange={setOpen}
        itemToStringValue={option => (option === CREATE ? '' : titleOf(option))}
      >
        <div
          ref={element => {
            place.current = element?.closest<HTMLElement>('main, [role="dialog"]') ?? null
          }}
          className="relative"
        >
          <Autocomplete.Input
            ref={input => {
              field.ref(input)
              inputRef?.(input)
            }}
            onKeyDown={event => {
              if (event.key === 'Escape') {
                // The autocomplete would empty the field if no popup is open, and would let the event close the dialog
                // if the popup has no suggestions.
                event.preventBaseUIHandler()
                if (!isShown || event.nativeEvent.isComposing) return
                event.stopPropagation()
                setOpen(false)
                return
              }
              if (!isAdder || event.key !== 'Enter' || event.nativeEvent.isComposing) return
              event.preventDefault()
              // The autocomplete chooses a highlighted suggestion, but would only close without one.
              if (event.currentTarget.hasAttribute('aria-activedescendant')) return
              event.preventBaseUIHandler()
              const first = found?.[0]
              if (first !== undefined) choose(first)
            }}
            onBlur={() => {
              field.onBlur()
              // Suggestions that arrive after the field lost the focus must not open. Open ones close by themselves.
              if (!isShown) setOpen(false)
            }}
            aria-required={required}
            autoComplete="off"
            className={cx('box', !!end && 'pr-12')}
          />
          {end && <div className="absolute inset-y-0 right-1 flex items-center">{end}</div>}
        </div>
        <Autocomplete.Status className="sr-only">
          {announcementOf(suggestions, props.nothing)}
        </Autocomplete.Status>
        <Autocomplete.Portal container={place}>
          <Autocomplete.Positioner sideOffset={6} positionMethod="fixed" className="z-50 outline-none">
            <Autocomplete.Popup className="popup max-h-[min(320px,var(--available-height))] w-(--anchor-width) max-w-(--available-width) overflow-y-auto overscroll-contain">
              <Status
                suggestions={suggestions}
                nothing={props.nothing}
                failed={props.failed}
                onRetry={retry}
              />
              <Autocomplete.List>
                {(option: S | typeof CREATE) =>
                  option === CREATE ? (
                    <Autocomplete.Item
                      key={CREATE}
                      value={option}
                      onClick={event => {
                        // The autocomplete would replace the typed text.
                        event.preventBaseUIHandler()
                        setOpen(false)
                        creation?.start(typed ?? '', choose)
                      }}
                      className={optionClass}
                    >
                      <Plus aria-hidden className="size-4" />
                      <span className="font-medium">{creation?.label}</span>
                    </Autocomplete.Item>
                  ) : (
                    <Autocomplete.Item
                      key={idOf(option)}
                      value={option}
                      onClick={() => onChoose(option)}
                      className={cx(optionClass, 'flex-col items-start! justify-center gap-0!')}
                    >
                      <span className="max-w-full font-medium [overflow-wrap:anywhere]">
                        {titleOf(option)}
                      </span>
                      <span className="max-w-full text-xs text-muted tabular-nums [overflow-wrap:anywhere]">
                        {noteOf(option)}
                      </span>
                    </Autocomplete.Item>
                  )
                }
              </Autocomplete.List>
              {suggestions.state === 'found' && suggestions.total > suggestions.found.length && (
                <p className="px-2.5 py-1.5 text-xs text-muted">
                  {t`${count(suggestions.found.length)} of ${count(suggestions.total)} are shown. Type more to find others.`}
                </p>
              )}
            </Autocomplete.Popup>
          </Autocomplete.Positioner>
        </Autocomplete.Portal>
      </Autocomplete.Root>
    </FieldFrame>
  )
}

/** Returns what a screen reader announces about the search; empty after a failure, which `Status` announces. */
function announcementOf<S>(suggestions: Suggestions<S>, nothing: string): string {
  switch (suggestions.state) {
    case 'searching':
      return t`Searching`
    case 'offline':
      return textOf(core.texts().general.noConnection)
    case 'found':
      return suggestions.total === 0
        ? nothing
        : plural(suggestions.total, { one: '# suggestion', other: '# suggestions' })
    default:
      return ''
  }
}

type StatusProps<S> = {
  suggestions: Suggestions<S>
  nothing: string
  failed: string
  onRetry: () => void
}

const lineClass = 'flex items-center gap-2.5 px-2.5 py-2 text-muted'

/** The line that is shown in place of the suggestions: searching, offline, failed, or nothing found. */
function Status<S>({ suggestions, nothing, failed, onRetry }: StatusProps<S>) {
  switch (suggestions.state) {
    case 'searching':
      return (
        <p className={lineClass}>
          <LoaderCircle aria-hidden className="size-4 shrink-0 animate-spin motion-reduce:animate-none" />
          {t`Searching`}
        </p>
      )
    case 'offline':
      return (
        <p className={lineClass}>
          <CloudOff aria-hidden className="size-4 shrink-0" />
          {textOf(core.texts().general.noConnection)}
        </p>
      )
    case 'failed':
      return (
        <div role="alert" className="flex flex-wrap items-center gap-2.5 px-2.5 py-2">
          <TriangleAlert aria-hidden className="size-4 shrink-0 text-danger" />
          <span className="min-w-0 flex-1 basis-40">
            {failed} {messageOf(suggestions.error, '')}
          </span>
          <Button onClick={onRetry}>{t`Try Again`}</Button>
        </div>
      )
    case 'found':
      return suggestions.total === 0 && <p className={lineClass}>{nothing}</p>
    default:
      return null
  }
}
