import { t } from '@lingui/core/macro'
import { Unlink } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { UseFormReturn } from 'react-hook-form'
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
  chosen: string
}

/** A record that an agreement refers to. It is found by typing its name, and must be chosen. */
export function RecordField<S>({ form, name, idName, help, chosen, ...suggest }: Props<S>) {
  const id = form.watch(idName)
  const set = (value: string) => {
    form.setValue(idName, value, { shouldDirty: true, shouldTouch: true })
    form.clearErrors(idName)
  }
  return (
    <SuggestField<AgreementValues, S>
      {...suggest}
      control={form.control}
      name={name}
      help={id ? chosen : help}
      error={form.formState.errors[idName]?.message}
      onChoose={record => set(suggest.idOf(record))}
      onType={() => (id ? set('') : form.clearErrors(idName))}
      end={
        id &&
        !suggest.disabled && (
          <IconButton
            label={t`Remove ${suggest.label}`}
            icon={<Unlink aria-hidden className="size-4" />}
            onClick={() => {
              set('')
              form.setValue(name, '', { shouldDirty: true })
            }}
          />
        )
      }
    />
  )
}
