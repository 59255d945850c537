import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import type { View, ViewInput } from '~/core'
import { textOf } from '~/language'
import { createResolver, useSubmit } from '~/lib/form'
import { rebase } from '~/lib/rebase'
import { useSession } from '~/lib/session'
import { CheckboxField } from '~/ui/CheckboxField'
import { FormModal } from '~/ui/FormModal'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'
import type { Fields } from '../useFields'
import type { Views } from './useViews'

type Values = { name: string; isShared: boolean; is_default: boolean }

const valuesOf = (view: View | undefined): Values => ({
  name: view?.name ?? '',
  isShared: view?.scope === 'shared',
  is_default: view?.is_default ?? false,
})

type Props = {
  fields: Fields
  views: Views
  /** The query and columns that the view will store. */
  content: Pick<ViewInput, 'resource' | 'query' | 'columns' | 'density'>
  /** The view to change; undefined to save a new one. */
  view?: View
  onClose: () => void
  onSaved: (view: View) => void
}

/** The form that saves a new view, or changes the name of a view and who can see it. */
export function ViewForm({ fields, views, content, view, onClose, onSaved }: Props) {
  const { corp } = useSession().profile
  const input = ({ name, isShared, is_default }: Values): ViewInput => ({
    ...content,
    name,
    is_default,
    scope: isShared ? 'shared' : 'mine',
    ...(view && { version: view.version }),
  })
  const form = useForm<Values>({
    mode: 'onTouched',
    resolver: createResolver((_, values) => fields.rules.checkView(input(values))),
    defaultValues: valuesOf(view),
  })
  // After a conflict the view is loaded again. Fields that this user hasn't changed take its new values.
  useEffect(() => {
    if (view) rebase(form, valuesOf(view))
  }, [form, view])
  const { control, formState } = form
  const { submit, error } = useSubmit(form, t`The view couldn't be saved.`, async values => {
    const saved = view ? await views.update(view.view_id, input(values)) : await views.create(input(values))
    toast.success(textOf(view ? fields.rules.viewTexts().updated : fields.rules.viewTexts().created))
    onSaved(saved)
  })
  // An error of the view's query or columns, which are no fields of this form, is shown above the form.
  const other = Object.entries(formState.errors).find(([field]) => field !== 'name')?.[1]?.message
  const corporation = corp.corp_name
  return (
    <FormModal
      title={view ? t`Edit view` : t`Save view`}
      description={t`A view keeps the search, the filters, the sort order and the columns of this list.`}
      submit={t`Save view`}
      busy={formState.isSubmitting}
      dirty={formState.isDirty}
      error={error ?? (other as string | undefined)}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField control={control} name="name" label={t`Name`} required autoComplete="off" />
      <CheckboxField control={control} name="isShared" label={t`Share with everyone at ${corporation}`} />
      <CheckboxField control={control} name="is_default" label={t`Open this list with this view`} />
    </FormModal>
  )
}
