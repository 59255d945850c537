import { t } from '@lingui/core/macro'
import { useEffect, useMemo, useState } from 'react'
import { type Corporation, type CorporationResource, core, type FullDetails } from '~/core'
import { messagesOf, problemOf } from '~/core/problem'
import { textOf } from '~/language'
import { suggestedCountry } from '~/lib/country'
import { isSame, rebase } from '~/lib/rebase'
import { useRequest } from '~/lib/request'
import { site } from '~/lib/site'
import { CountryField } from '~/records/CountryField'
import { RecordForm, useRecordForm } from '~/records/RecordForm'
import { type Loaded, withRules } from '~/records/RulesForm'
import type { FormDialog } from '~/records/useDialogs'
import { CheckboxField } from '~/ui/CheckboxField'
import { Confirm } from '~/ui/Confirm'
import { SwitchField } from '~/ui/SwitchField'
import { toast } from '~/ui/Toasts'
import { AdminContact, AdminFields } from './AdminFields'
import { DetailsFailed, DetailsSkeleton } from './DetailsState'
import { FormSection } from './FormSection'
import { type CorporationFormOf, EMPTY, inputOf, LABELS, valuesOf } from './form'
import { kind } from './kind'
import { OrganizationFields } from './OrganizationFields'
import { listResources, ResourcePicker, resourceTitles } from './ResourcePicker'
import { useLookup } from './useLookup'

const ACTIVE = t({ message: 'Active', context: 'corporation' })

const titlesOf = (corporation?: object) =>
  corporation
    ? { title: t`Edit Corporation`, submit: t`Save changes` }
    : { title: t`Company Registration`, submit: t`Register corporation` }

/** The form that registers or edits a corporation. */
export const CorporationForm = withRules(LoadedForm, titlesOf, true)

function LoadedForm({ record: corporation, onSaved, rules, dialog }: Loaded<FormDialog<Corporation>>) {
  const id = corporation?.corp_id
  const texts = core.texts()
  const [details, setDetails] = useState<FullDetails>()
  const isReady = id === undefined || details !== undefined
  const resources = useRequest(listResources)
  const [country] = useState(() => suggestedCountry(rules))
  const [isAsking, setIsAsking] = useState(false)
  const state = useRecordForm({
    draft: kind.draftOf(id),
    record: corporation,
    version: details?.corporation.version,
    isReady,
    inputOf,
    defaultValues: { ...EMPTY, country },
    labels: {
      ...LABELS,
      allowed_resources: { label: t`Resources`, show: ids => resourceTitles(resources.outcome, ids) },
      corp_active: { label: ACTIVE, show: isActive => (isActive ? t`On` : t`Off`) },
    },
    check: (_, values) =>
      id === undefined
        ? rules.checkCorporation(values, site.rules)
        : rules.checkCorporationUpdate(values, site.rules),
    save: ({ country, admin_data, corp_active, ...values }, version): Promise<unknown> =>
      id === undefined
        ? core.createCorporation({ ...values, country, admin_data })
        : core.updateCorporation({ ...values, corp_id: id, corp_active, version }),
    texts: {
      created: textOf(core.recordTexts('corporations').created),
      updated: textOf(core.recordTexts('corporations').updated),
      createFailed: t`Failed to create corporation`,
      updateFailed: t`Failed to update corporation`,
    },
    onSaved,
    onInvalid: () => toast.error(textOf(texts.general.formInvalid)),
    describeError(message, thrown) {
      const problem = problemOf(thrown)
      if (!problem) return t`Failed to process corporation`
      if (id !== undefined && messagesOf(thrown)[0]?.code === texts.organizations.notFound.code) {
        toast.warning(t`Organization details not found. Please search again.`, t`Update Warning`)
        void lookup.lookUp(true)
        return
      }
      lookup.unlock(messagesOf(thrown).flatMap(({ field }) => field ?? []))
      return message
    },
  })
  const { form, field, modal } = state
  const { control, reset } = form
  const name = corporation?.corp_name ?? ''
  /** Saves the form. If that suspends the corporation, the user is asked first. */
  const submit: typeof modal.onSubmit = event => {
    const isSuspending = form.formState.defaultValues?.corp_active && !form.getValues('corp_active')
    return isSuspending
      ? form.handleSubmit(() => setIsAsking(true), state.reportInvalid)(event)
      : modal.onSubmit(event)
  }
  const request = useMemo(
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
  const { outcome, retry } = useRequest(request)
  useInitialSelection(form, id === undefined ? resources.latest : undefined)
  const lookup = useLookup(form, rules, details?.organization)
  return (
    <RecordForm
      state={{ ...state, modal: { ...modal, onSubmit: submit } }}
      {...dialog}
      description={name}
      ariaDisabled={!isReady}
    >
      {!isReady && !outcome && <DetailsSkeleton />}
      {outcome?.ok === false && <DetailsFailed error={outcome.error} onRetry={retry} />}
      {isReady && (
        <>
          <OrganizationFields form={form} lookup={lookup}>
            {!corporation && <CountryField control={control} name="country" rules={rules} />}
          </OrganizationFields>
          <ResourcePicker control={control} isNew={id === undefined} request={resources} />
          {corporation ? <AdminContact corporation={corporation} /> : <AdminFields control={control} />}
          {details && (
            <FormSection title={t`Status`}>
              <SwitchField
                {...field('corp_active')}
                help={
                  details.corporation.is_platform
                    ? textOf(texts.corporations.platformStays)
                    : t`When this is off, everyone in this corporation is signed out, and no one can sign in.`
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
      <Confirm
        open={isAsking}
        title={t`Suspend ${name}?`}
        description={t`It becomes Inactive. Its users will be signed out and can't sign in until you activate it again.`}
        cancelLabel={t`Keep active`}
        confirmLabel={t`Suspend corporation`}
        onCancel={() => setIsAsking(false)}
        onConfirm={() => {
          setIsAsking(false)
          void modal.onSubmit()
        }}
      />
    </RecordForm>
  )
}

/**
 * Makes the loaded modules the form's initial selection, also after a draft was discarded. A selection that the
 * user has changed stays.
 */
function useInitialSelection(form: CorporationFormOf, resources: CorporationResource[] | undefined) {
  const { defaultValues } = form.formState
  useEffect(() => {
    const allowed_resources = resources
      ?.filter(({ is_module }) => is_module)
      .map(({ resource_id }) => resource_id)
    if (!allowed_resources || isSame(defaultValues?.allowed_resources, allowed_resources)) return
    rebase(form, { ...defaultValues, allowed_resources })
  }, [form, defaultValues, resources])
}
