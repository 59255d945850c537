import { t } from '@lingui/core/macro'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useForm } from 'react-hook-form'
import { core } from '~/core'
import { createResolver } from '~/lib/form'
import { Button } from '~/ui/Button'
import { TextField } from '~/ui/TextField'

type Props = {
  /** The chosen colour; empty if none is chosen. */
  color: string
  /** Called with each colour that the user tries while the colour picker is open, to preview it. */
  onTry: (color: string) => void
  onChoose: (color: string) => void
}

/** The inputs for a custom accent colour: the browser's colour picker, and a field for a hexadecimal value. */
export function CustomColor({ color, onTry, onChoose }: Props) {
  const form = useForm({
    mode: 'onTouched',
    resolver: createResolver((rules, values) => rules.checkTheme(values)),
    values: { color: color || core.defaultColor() },
  })
  const picker = useRef<HTMLInputElement>(null)
  const choose = useEffectEvent(onChoose)
  useEffect(() => {
    // A native listener, because React's `onChange` fires on every move in the picker. The DOM's change event fires
    // when the picker closes.
    const element = picker.current
    const chosen = () => element && choose(element.value)
    element?.addEventListener('change', chosen)
    return () => element?.removeEventListener('change', chosen)
  }, [])
  const written = form.watch('color')
  return (
    <form
      noValidate
      aria-label={t`Custom colour`}
      onSubmit={form.handleSubmit(values => onChoose(values.color.trim().toLowerCase()))}
      className="mt-3 flex items-start gap-2"
    >
      <input
        ref={picker}
        type="color"
        aria-label={t`Pick a colour`}
        value={/^#[\da-f]{6}$/i.test(written) ? written : core.defaultColor()}
        onChange={event => {
          form.setValue('color', event.target.value, { shouldValidate: true })
          onTry(event.target.value)
        }}
        className="mt-6.5 h-10 w-12 shrink-0 cursor-pointer rounded-lg border border-edge bg-card p-1 max-md:h-touch touch:h-touch"
      />
      <TextField
        control={form.control}
        name="color"
        label={t`Custom colour`}
        spellCheck={false}
        autoComplete="off"
        maxLength={7}
        help={t`# followed by six hexadecimal digits`}
        className="min-w-0 flex-1"
      />
      <Button type="submit" className="mt-6.5">
        {t`Apply`}
      </Button>
    </form>
  )
}
