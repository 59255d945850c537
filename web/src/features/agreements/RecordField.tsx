import { t } from '@lingui/core/macro'
import { Unlink } from 'lucide-react'
import { type ComponentProps, type ReactNode, useRef } from 'react'
import { type UseFormReturn, useController } from 'react-hook-form'
import { SuggestField } from '~/records/SuggestField'
import { IconButton } from '~/ui/IconButton'
import type { AgreementValues } from './values'

type Props<S> = Pick<
  ComponentProps<typeof SuggestField<AgreementValues, S>>,
  'find' | 'idOf' | 'titleOf' | 'noteOf' | 'nothing' | 'failed' | 'label' | 'disabled'
> & {
  form: UseFormReturn<AgreementValues>
  /** The field with the typed name, and that with the id of the chosen record. */
  name: 'customer' | 'contact'
  idName: 'customer_id' | 'contact_id'
  /** Shown while no record is chosen, and while one is. */
  help: string
  chosen: ReactNode
  onChoose?: (record: S) => void
}

/** A record that an agreement refers to. It is found by typing its name, and must be chosen. */
export function RecordField<S>({ form, name, idName, help, chosen, onChoose, ...suggest }: Props<S>) {
  // Its input is that of the name, so that the form focuses it if no record was chosen.
  const { field } = useController({ control: form.control, name: idName })
  const input = useRef<HTMLInputElement>(null)
  const id = field.value
  const set = (value: string) => {
    form.setValue(idName, value, { shouldDirty: true, shouldTouch: true })
    form.clearErrors(idName)
  }
  return (
    <SuggestField<AgreementValues, S>
      {...suggest}
      control={form.control}
      name={name}
      inputRef={element => {
        input.current = element
        field.ref(element)
      }}
      help={id ? chosen : help}
      error={form.formState.errors[idName]?.message}
      onChoose={record => {
        onChoose?.(record)
        set(suggest.idOf(record))
      }}
      onType={() => (id ? set('') : form.clearErrors(idName))}
      end={
        id &&
        !suggest.disabled && (
          <IconButton
            label={name === 'customer' ? t`Remove the customer` : t`Remove the contact`}
            icon={<Unlink aria-hidden className="size-4" />}
            onClick={() => {
              // This button disappears.
              input.current?.focus()
              set('')
              form.setValue(name, '', { shouldDirty: true })
            }}
          />
        )
      }
    />
  )
}
