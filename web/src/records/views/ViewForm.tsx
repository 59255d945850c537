import { t } from '@lingui/core/macro'
import { useEffect, useRef } from 'react'
import { useForm } from 'react-hook-form'
import type { View, ViewInput } from '~/core'
import { isGone, isUnanswered } from '~/core/problem'
import { textOf } from '~/language'
import { createResolver, useSubmit } from '~/lib/form'
import { isSame, rebase } from '~/lib/rebase'
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
  /** The view no longer exists, so the form saves a new one with its name. */
  isDeleted?: boolean
  /** Called if the view to change no longer exists. */
  onDeleted?: () => void
  onClose: () => void
  onSaved: (view: View) => void
}

/** The form that saves a new view, or changes the name of a view and who can see it. */
export function ViewForm(props: Props) {
  const { fields, views, content, view, isDeleted = false, onDeleted, onClose, onSaved } = props
  const { corp, id } = useSession().profile
  const existing = isDeleted ? undefined : view
  const others = (views.views ?? []).filter(other => other.view_id !== view?.view_id)
  // The new view that has perhaps been saved, because the response was lost.
  const unanswered = useRef<ViewInput>(undefined)
  const isRetry = (body: ViewInput) => unanswered.current !== undefined && isSame(unanswered.current, body)
  const isOwn = (other: View) => other.owner.id === id
  const input = ({ name, isShared, is_default }: Values): ViewInput => ({
    ...content,
    name,
    is_default,
    scope: isShared ? 'shared' : 'mine',
    ...(existing && { version: existing.version }),
  })
  const check = (body: ViewInput, named: View[]) =>
    fields.rules.checkView(
      body,
      existing?.name,
      named.map(other => other.name),
    )
  /** Saves a new view. If the response to the same request was lost, returns the view that it has saved, if any. */
  const create = async (body: ViewInput) => {
    const present = isRetry(body) ? await views.request() : []
    const saved = present.find(other => isOwn(other) && check(body, [other]).length > 0)
    return saved ?? (await views.create(body))
  }
  const form = useForm<Values>({
    mode: 'onTouched',
    resolver: createResolver((_, values) => {
      const body = input(values)
      // At the first attempt, none of the user's own views had this name.
      const named = isRetry(body) ? others.filter(other => !isOwn(other)) : others
      return check(body, named)
    }),
    defaultValues: valuesOf(view),
  })
  // After a conflict the view is loaded again. Fields that this user hasn't changed take its new values.
  useEffect(() => {
    if (view) rebase(form, valuesOf(view))
  }, [form, view])
  const { control, formState } = form
  const { submit, error } = useSubmit(form, t`The view couldn't be saved.`, async values => {
    const { created, updated } = fields.rules.viewTexts()
    const body = input(values)
    try {
      const saved = existing ? await views.update(existing.view_id, body) : await create(body)
      toast.success(textOf(existing ? updated : created))
      onSaved(saved)
    } catch (error) {
      // Only if the views had loaded, so that the name was checked.
      if (!existing && views.views && isUnanswered(error)) unanswered.current = body
      // The new view may have been saved. The form of a deleted view loads the views when it closes.
      if (!view && isUnanswered(error)) views.reload()
      if (!existing || !isGone(error)) throw error
      onDeleted?.()
    }
  })
  // An error of the view's query or columns, which are no fields of this form, is shown above the form.
  const other = Object.entries(formState.errors).find(([field]) => field !== 'name')?.[1]?.message
  const name = view?.name ?? ''
  const notice = isDeleted
    ? t`The view “${name}” is no longer available. You can save it as a new view.`
    : undefined
  const corporation = corp.corp_name
  return (
    <FormModal
      title={existing ? t`Edit view` : t`Save view`}
      description={t`A view keeps the search, the filters, the sort order and the columns of this list.`}
      submit={t`Save view`}
      busy={formState.isSubmitting}
      dirty={formState.isDirty}
      error={error ?? (other as string | undefined) ?? notice}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextField control={control} name="name" label={t`Name`} required autoComplete="off" />
      <CheckboxField control={control} name="isShared" label={t`Share with everyone at ${corporation}`} />
      <CheckboxField control={control} name="is_default" label={t`Open this list with this view`} />
    </FormModal>
  )
}
