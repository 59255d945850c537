import { t } from '@lingui/core/macro'
import { Lock } from 'lucide-react'
import { useCallback, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useRevalidator } from 'react-router'
import { core, type PersonalData } from '~/core'
import { messageOf, problemOf } from '~/core/problem'
import { useRequest } from '~/lib/request'
import { useSession } from '~/lib/session'
import { useTitle } from '~/lib/title'
import { CardFailed, CardLoading } from '~/records/CardState'
import { EmailField } from '~/records/fields'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { Notice } from '~/ui/Notice'
import { Page } from '~/ui/Page'
import { State } from '~/ui/State'
import { Certificates } from './Certificates'
import { Held } from './Held'

/** Finds, downloads and erases what is stored about a person. */
export function PrivacyPage() {
  useTitle(t`Personal data`)
  const { profile } = useSession()
  if (!core.maySetForAll(profile.type)) {
    return (
      <Page title={t`Personal data`}>
        <div className="card">
          <State icon={<Lock className="size-6" />} title={t`Only administrators can open this page.`} />
        </div>
      </Page>
    )
  }
  return (
    <Page title={t`Personal data`} subtitle={t`Find, download and erase what is stored about a person.`}>
      <div className="grid max-w-3xl gap-4">
        <Search />
        <Certificates />
      </div>
    </Page>
  )
}

const find = async (email: string) =>
  ((await core.sendJson('POST', '/api/privacy/person', { email })) as { data: PersonalData }).data

function Search() {
  const { revalidate } = useRevalidator()
  const form = useForm({ defaultValues: { email: '' } })
  // A new object for each search, so that the same address can be searched for again.
  const [searched, setSearched] = useState<{ email: string }>()
  const request = useCallback(() => find(searched?.email ?? ''), [searched])
  const { outcome, retry } = useRequest(searched && request)
  const submit = form.handleSubmit(({ email }) => {
    if (email.trim()) setSearched({ email: email.trim() })
    else form.setError('email', { message: t`Enter an email address` }, { shouldFocus: true })
  })
  return (
    <>
      <Card title={t`Find a person`} subtitle={t`Records are found by their email address.`}>
        <form noValidate onSubmit={submit} className="flex flex-wrap items-start gap-x-2">
          <EmailField className="grow basis-64" control={form.control} name="email" label={t`Email`} />
          <Button kind="primary" type="submit" className="mt-6.5 max-sm:mt-0 max-sm:w-full">
            {t`Find`}
          </Button>
        </form>
      </Card>
      {searched &&
        (outcome?.ok ? (
          <Held
            email={searched.email}
            data={outcome.value}
            onErased={() => {
              setSearched(undefined)
              form.reset()
              void revalidate()
            }}
          />
        ) : outcome === undefined ? (
          <Card title={t`What is stored`}>
            <CardLoading lines={3} />
          </Card>
        ) : problemOf(outcome.error)?.status === 404 ? (
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
