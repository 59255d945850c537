import { t } from '@lingui/core/macro'
import { useForm } from 'react-hook-form'
import { core, type ProfileCorporation } from '~/core'
import type { ListsCore } from '~/core/lists'
import { textOf } from '~/language'
import { createResolver, useSubmit } from '~/lib/form'
import { countryName, currencyName } from '~/lib/format'
import { useRenewSession } from '~/lib/session'
import { CardFailed, CardLoading } from '~/records/CardState'
import { useLists } from '~/records/useFields'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { ErrorNotice } from '~/ui/Notice'
import { SelectField } from '~/ui/SelectField'
import { TextField } from '~/ui/TextField'
import { toast } from '~/ui/Toasts'

type Props = { corporation: ProfileCorporation }

/** The card that sets the corporation's country, and the currency and VAT rate of its vehicles' prices. */
export function TradeCard(props: Props) {
  const { rules, isFailed, retry } = useLists()
  const { corp_name } = props.corporation
  return (
    <Card
      title={t`Country, currency and VAT`}
      subtitle={t`For the vehicles of ${corp_name}. Invoices stay in pounds.`}
    >
      {rules ? (
        <TradeForm {...props} rules={rules} />
      ) : isFailed ? (
        <CardFailed error={undefined} failed={t`Failed to load the form`} onRetry={retry} />
      ) : (
        <CardLoading lines={3} />
      )}
    </Card>
  )
}

function TradeForm({ corporation, rules }: Props & { rules: ListsCore }) {
  const renewSession = useRenewSession()
  const countries = rules.countries()
  const inputOf = (values: { vat_rate: string; country: string; currency: string }) => ({
    ...values,
    vat_rate: rules.parseRate(values.vat_rate) ?? null,
  })
  const { country, currency, vat_rate } = corporation
  const form = useForm({
    mode: 'onTouched',
    resolver: createResolver<{ country: string; currency: string; vat_rate: string }>((_, values) =>
      rules.checkSettings(inputOf(values)),
    ),
    defaultValues: { country, currency, vat_rate: rules.rateText(vat_rate) },
  })
  const { submit, error } = useSubmit(form, t`Failed to save the settings.`, async values => {
    const saved = (await core.sendJson('PUT', '/api/settings', inputOf(values))) as {
      messages: Parameters<typeof textOf>[0][]
    }
    form.reset(values)
    for (const message of saved.messages) toast.success(textOf(message))
    await renewSession()
  })
  const { isDirty, isSubmitting } = form.formState
  const fillIn = (code: string) => {
    const chosen = countries.find(other => other.code === code)
    if (!chosen) return
    form.setValue('currency', chosen.currency, { shouldDirty: true })
    form.setValue('vat_rate', rules.rateText(chosen.vat_rate), { shouldDirty: true, shouldValidate: true })
  }
  const currencies = [...new Set(countries.map(other => other.currency))]
  return (
    <form noValidate aria-label={t`Country, currency and VAT`} onSubmit={submit}>
      <ErrorNotice className="mb-4" message={error} />
      <div className="grid gap-x-4 gap-y-2 sm:grid-cols-2">
        <SelectField
          control={form.control}
          name="country"
          label={t`Country`}
          choices={countries.map(({ code }) => ({ value: code, label: countryName(code) }))}
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
          inputMode="decimal"
          autoComplete="off"
        />
      </div>
      <div className="mt-3 flex justify-end">
        <Button kind="primary" type="submit" busy={isSubmitting} ariaDisabled={!isDirty}>
          {t`Save settings`}
        </Button>
      </div>
    </form>
  )
}
