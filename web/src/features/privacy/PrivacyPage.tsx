import { t } from '@lingui/core/macro'
import { Lock } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import { core, type HeldPart, type PersonalData } from '~/core'
import type { ListsCore } from '~/core/lists'
import { isGone, messageOf } from '~/core/problem'
import { locale } from '~/language'
import { createResolver } from '~/lib/form'
import { useKeptState } from '~/lib/keptState'
import { useRequest } from '~/lib/request'
import { useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { CardFailed, CardLoading } from '~/records/CardState'
import { EmailField } from '~/records/fields'
import { HomeLink } from '~/records/HomeLink'
import { useLists } from '~/records/useFields'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { Notice } from '~/ui/Notice'
import { Page } from '~/ui/Page'
import { State } from '~/ui/State'
import { Certificates } from './Certificates'
import { Held } from './Held'
import { countOf } from './names'

/** The page on which administrators find, download and erase what is stored about a person. */
export function PrivacyPage() {
  useTitle(t`Personal data`)
  const { profile } = useSession()
  if (!core.isAdministrator(profile.type)) {
    return (
      <Page title={t`Personal data`}>
        <div className="card">
          <State
            icon={<Lock className="size-6" />}
            title={t`Only administrators can open this page.`}
            action={<HomeLink />}
          />
        </div>
      </Page>
    )
  }
  return (
    <Page title={t`Personal data`} subtitle={t`Find, download and erase what is stored about a person.`}>
      <Administration />
    </Page>
  )
}

/** The content of the page. It needs the wasm rules of lists, for the names of the fields that are erased. */
function Administration() {
  const { rules, isFailed, retry } = useLists()
  if (!rules) {
    return (
      <div className="max-w-3xl">
        <Card title={t`Find a person`}>
          {isFailed ? (
            <CardFailed failed={t`Failed to load this page`} onRetry={retry} />
          ) : (
            <CardLoading lines={2} />
          )}
        </Card>
      </div>
    )
  }
  return (
    <div className="grid max-w-3xl gap-4">
      <Search rules={rules} />
      <Certificates rules={rules} />
    </div>
  )
}

const find = async (email: string) =>
  ((await core.sendJson('POST', '/api/privacy/person', { email })) as { data: PersonalData }).data

function Search({ rules }: { rules: ListsCore }) {
  const { revalidate } = useRevalidator()
  // A new object for each search, so that the same address can be searched for again. Back from a list finds it
  // here, because the address must not be in the URL.
  const [searched, setSearched] = useKeptState<{ email: string } | undefined>('person', undefined)
  const form = useForm({
    defaultValues: { email: searched?.email ?? '' },
    resolver: createResolver<{ email: string }>((_, values) => rules.checkPersonalData(values)),
  })
  const request = useCallback(() => find(searched?.email ?? ''), [searched])
  const { outcome, retry } = useRequest(searched && request)
  const [erasures, setErasures] = useState(0)
  useEffect(() => {
    // After an erasure the search field gets the focus, because the button that opened the dialog is gone.
    if (erasures > 0) form.setFocus('email')
  }, [erasures, form])
  const submit = form.handleSubmit(({ email }) => setSearched({ email: email.trim() }))
  return (
    <>
      <Card
        title={t`Find a person`}
        subtitle={t`Records are found by their email address. If a contact has none, add one to it first.`}
      >
        <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-x-2">
          <EmailField className="grow basis-64" control={form.control} name="email" label={t`Email`} />
          <Button kind="primary" type="submit" className="mt-6.5 max-sm:mt-0 max-sm:w-full">
            {t`Find`}
          </Button>
        </form>
      </Card>
      <p role="status" className="sr-only">
        {outcome?.ok && foundText(outcome.value.held)}
      </p>
      {searched &&
        (outcome?.ok ? (
          <Held
            email={searched.email}
            data={outcome.value}
            rules={rules}
            onErased={() => {
              setSearched(undefined)
              form.reset({ email: '' })
              setErasures(count => count + 1)
              void revalidate()
            }}
            onFailed={() => void revalidate()}
          />
        ) : outcome === undefined ? (
          <Card title={t`What is stored`}>
            <CardLoading lines={3} />
          </Card>
        ) : isGone(outcome.error) ? (
          <div role="status">
            <Notice kind="info">{messageOf(outcome.error, '')}</Notice>
          </div>
        ) : (
          <Card title={t`What is stored`}>
            <CardFailed error={outcome.error} failed={t`The search failed`} onRetry={retry} />
          </Card>
        ))}
    </>
  )
}

/** Returns in words what a search has found, for screen readers. */
function foundText(held: HeldPart[]): string {
  const found = new Intl.ListFormat(locale).format(held.map(({ kind, count }) => countOf[kind](count)))
  return found ? t`Found: ${found}` : t`Only in the history: the record now has another email address`
}
