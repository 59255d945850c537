import { t } from '@lingui/core/macro'
import { useMemo, useState } from 'react'
import { type Corporation, core, type FullDetails } from '~/core'
import { useConflict } from '~/records/useConflict'
import { useDraftForm } from '~/lib/draftForm'
import { createResolver, showErrors } from '~/lib/form'
import { problemOf } from '~/lib/problem'
import { useRequest } from '~/lib/request'
import { CheckboxField } from '~/ui/CheckboxField'
import { Conflict } from '~/records/Conflict'
import { FormModal } from '~/ui/FormModal'
import { SwitchField } from '~/ui/SwitchField'
import { toast } from '~/ui/Toasts'
import { AdminFields } from './AdminFields'
import { DetailsFailed, DetailsSkeleton } from './DetailsState'
import { FormSection } from './FormSection'
import { BLANK, LABELS, presentOf, valuesOf } from './form'
import { OrganizationFields } from './OrganizationFields'
import { ResourcePicker } from './ResourcePicker'
import { askResources, resourceTitles } from './resources'
import { useLookup } from './useLookup'

const ACTIVE = t({ message: 'Active', context: 'corporation' })

type Props = {
  /** The one to edit; a new one without it. */
  corporation?: Corporation
  /** Closed without saving; the list is stale where somebody else has changed the corporation. */
  onClose: (isStale: boolean) => void
  onSaved: () => void
}

/** Registers a corporation, or edits one. */
export function CorporationForm({ corporation, onClose, onSaved }: Props) {
  const id = corporation?.corp_id
  const [error, setError] = useState<string>()
  const texts = core.texts()
  const [details, setDetails] = useState<FullDetails>()
  const isReady = id === undefined || details !== undefined
  const { form, version } = useDraftForm({
    draft: `corporation ${id ?? ''}`,
    version: details?.corporation.version,
    isReady,
    mode: 'onTouched',
    resolver: createResolver((rules, values) =>
      id === undefined ? rules.checkCorporation(values) : rules.checkCorporationUpdate(values),
    ),
    defaultValues: BLANK,
  })
  const { control, formState, reset } = form
  const question = useMemo(
    () =>
      id === undefined
        ? undefined
        : async () => {
            const details = await core.getFullDetails(id)
            reset(valuesOf(details))
            setDetails(details)
          },
    [id, reset],
  )
  const { outcome, retry } = useRequest(question)
  const lookup = useLookup(form, details?.organization)
  const resources = useRequest(askResources)
  const conflict = useConflict({
    form,
    version,
    inputOf: presentOf,
    fields: {
      ...LABELS,
      allowed_resources: { label: t`Resources`, show: ids => resourceTitles(resources.outcome, ids) },
      corp_active: { label: ACTIVE, show: isActive => (isActive ? t`On` : t`Off`) },
    },
  })

  const refused = (thrown: unknown) => {
    const problem = problemOf(thrown)
    if (!problem) return setError(texts.corporations.processFailed)
    if (conflict.handle(thrown)) return
    if (id !== undefined && problem.message.includes(texts.organizations.notFound)) {
      toast.warning(texts.organizations.detailsNotFound, t`Update Warning`)
      void lookup.lookUp(true)
      return
    }
    lookup.unlock(Object.keys(problem.fields))
    const { createFailed, updateFailed } = texts.corporations
    setError(showErrors(form, thrown, id === undefined ? createFailed : updateFailed))
  }
  const save = form.handleSubmit(
    async ({ admin_data, corp_active, ...values }) => {
      setError(undefined)
      try {
        if (id === undefined) {
          await core.createCorporation({ ...values, admin_data })
          toast.success(texts.corporations.created)
        } else {
          await core.updateCorporation({ ...values, corp_id: id, corp_active, version: conflict.version })
          toast.success(texts.corporations.updated)
        }
        onSaved()
      } catch (thrown) {
        refused(thrown)
      }
    },
    () => toast.error(texts.general.formInvalid),
  )

  return (
    <FormModal
      open
      wide
      title={id === undefined ? t`Company Registration` : t`Edit Corporation`}
      description={corporation?.corp_name}
      submit={id === undefined ? t`Register corporation` : t`Save changes`}
      busy={formState.isSubmitting}
      ariaDisabled={!isReady}
      dirty={formState.isDirty}
      error={error}
      onSubmit={save}
      onClose={() => onClose(conflict.round > 0)}
    >
      {!isReady && !outcome && <DetailsSkeleton />}
      {outcome?.ok === false && <DetailsFailed error={outcome.error} onAgain={retry} />}
      {isReady && (
        <>
          <Conflict conflict={conflict} />
          <OrganizationFields form={form} lookup={lookup} />
          <ResourcePicker control={control} asked={resources} />
          <AdminFields control={control} disabled={id !== undefined} />
          {details && (
            <FormSection title={t`Status`}>
              <SwitchField
                control={control}
                name="corp_active"
                label={ACTIVE}
                help={
                  details.corporation.is_platform
                    ? texts.corporations.platformStays
                    : t`When this is off, no one in this corporation can sign in.`
                }
                ariaDisabled={details.corporation.is_platform}
              />
            </FormSection>
          )}
          <div className="border-t border-line pt-3">
            <CheckboxField
              control={control}
              name="agreed"
              label={t`I agree to the terms of service and privacy policy`}
              required
            />
          </div>
        </>
      )}
    </FormModal>
  )
}
