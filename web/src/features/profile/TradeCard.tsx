import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { core, type ProfileCorporation, type Settings } from '~/core'
import type { ListsCore } from '~/core/lists'
import { textOf } from '~/language'
import { createResolver, useSubmit } from '~/lib/form'
import { countryChoices, countryName, currencyName } from '~/lib/format'
import { useRenewSession } from '~/lib/session'
import { CardFailed } from '~/records/CardState'
import { Conflict } from '~/records/Conflict'
import { useConflict } from '~/records/useConflict'
import { useLists } from '~/records/useFields'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { ErrorNotice, Notice } from '~/ui/Notice'
import { SelectField } from '~/ui/SelectField'
import { Loading } from '~/ui/Skeleton'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'

type Props = {
  corporation: ProfileCorporation
  /** Called with true when the form gets unsaved changes, and with false when it has none any more. */
  onDirty: (isDirty: boolean) => void
  /** Called when the user wants to discard the changes, with the function that does so. */
  onDiscard: (discard: () => void) => void
}

/** The settings as they are typed. */
type Values = { country: string; currency: string; vat_rate: string }

/** The card that sets the corporation's country, and the currency and VAT rate of its vehicles' prices. */
export function TradeCard(props: Props) {
  const { rules, isFailed, retry } = useLists()
  const { corp_name } = props.corporation
  return (
    <Card
      title={t`Country, currency and VAT`}
      subtitle={t`For the vehicles and agreements of ${corp_name}. Invoices stay in pounds.`}
    >
      {rules ? (
        <TradeForm {...props} rules={rules} />
      ) : isFailed ? (
        <CardFailed failed={t`Failed to load the form`} onRetry={retry} />
      ) : (
        <FormLoading />
      )}
    </Card>
  )
}

/** The placeholder of the form, as high as the form. */
function FormLoading() {
  return (
    <Loading>
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        {['country', 'currency', 'rate'].map(field => (
          <span key={field} className="py-6">
            <span className="skeleton block h-10 max-md:h-touch touch:h-touch" />
          </span>
        ))}
      </div>
      <span className="skeleton mt-3 ml-auto block h-10 w-32 max-md:h-touch touch:h-touch" />
    </Loading>
  )
}

function TradeForm({ corporation, onDirty, onDiscard, rules }: Props & { rules: ListsCore }) {
  const renewSession = useRenewSession()
  const countries = rules.countries()
  const inputOf = (values: Values) => ({ ...values, vat_rate: rules.parseRate(values.vat_rate) ?? null })
  const valuesOf = ({ country, currency, vat_rate }: Settings): Values => ({
    country,
    currency,
    vat_rate: String(vat_rate),
  })
  const form = useForm<Values>({
    mode: 'onTouched',
    resolver: createResolver((_, values) => rules.checkSettings(inputOf(values))),
    defaultValues: valuesOf(corporation),
  })
  const { defaultValues, isDirty, isSubmitting } = form.formState
  useEffect(() => onDirty(isDirty), [isDirty, onDirty])
  const opened = { ...valuesOf(corporation), ...defaultValues }
  const conflict = useConflict<Values, Settings>({
    form,
    version: undefined,
    inputOf: valuesOf,
    labels: {
      country: { label: t`Country`, show: countryName },
      currency: { label: t`Currency`, show: currencyName },
      vat_rate: t`VAT rate, %`,
    },
  })
  const { submit, error, clearError } = useSubmit(form, t`Failed to save the settings.`, async values => {
    const input = { ...inputOf(values), before: inputOf(opened) }
    let saved: { messages: Parameters<typeof textOf>[0][] }
    try {
      saved = (await core.sendJson('PUT', '/api/settings', input)) as typeof saved
    } catch (thrown) {
      if (conflict.handle(thrown)) return
      throw thrown
    }
    form.reset(values)
    conflict.end()
    for (const message of saved.messages) toast.success(textOf(message))
    await renewSession()
  })
  const fillIn = (code: string) => {
    const chosen = countries.find(other => other.code === code)
    if (!chosen) return
    form.setValue('currency', chosen.currency, { shouldDirty: true })
    form.setValue('vat_rate', String(chosen.vat_rate), { shouldDirty: true, shouldValidate: true })
  }
  const chosen = form.watch('currency')
  const isOtherCurrency = chosen !== opened.currency
  const [from, to] = [currencyName(opened.currency), currencyName(chosen)]
  const hasInput = isDirty || conflict.round > 0
  const discard = () => {
    form.reset()
    conflict.end()
    clearError()
    // The page still shows the settings as they were before the conflict.
    void renewSession()
  }
  const currencies = [...new Set(countries.map(other => other.currency))]
  return (
    <form noValidate aria-label={t`Country, currency and VAT`} onSubmit={submit}>
      <ErrorNotice className="mb-4" message={error} />
      <Conflict conflict={conflict} />
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        <SelectField
          control={form.control}
          name="country"
          label={t`Country`}
          choices={countryChoices(countries)}
          onChoose={fillIn}
        />
        <SelectField
          control={form.control}
          name="currency"
          label={t`Currency`}
          choices={currencies.map(code => ({ value: code, label: currencyName(code) }))}
        />
        <TextField
          control={form.control}
          name="vat_rate"
          label={t`VAT rate, %`}
          help={t`Delivered agreements keep the rate that they were delivered with.`}
          required
          inputMode="decimal"
          autoComplete="off"
        />
      </div>
      <div role="status">
        {isOtherCurrency && (
          <Notice kind="warning" className="mt-2">
            {t`Prices are not converted: what is entered as ${from} will be shown as ${to}, in all vehicles, costs and agreements, and in what customers have spent.`}
          </Notice>
        )}
      </div>
      <div className="mt-3 flex flex-wrap justify-end gap-2">
        {hasInput && !isSubmitting && (
          <Button kind="ghost" onClick={() => onDiscard(discard)}>
            {t`Discard changes`}
          </Button>
        )}
        <Button kind="primary" type="submit" busy={isSubmitting} ariaDisabled={!isDirty}>
          {t`Save settings`}
        </Button>
      </div>
    </form>
  )
}
