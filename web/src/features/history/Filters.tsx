import { t } from '@lingui/core/macro'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { core } from '~/core'
import { paths } from '~/lib/paths'
import { useRequest } from '~/lib/request'
import { fullName, useCanRead, useSession } from '~/lib/session'
import { choicesOf } from '~/ui/choices'
import { type Choice, Select } from '~/ui/Select'
import { DateRange } from './DateRange'
import { actionNames, kindName } from './names'
import type { Period } from './period'
import { type HistoryQuery, historyAddress } from './query'

/** The select's value for "no filter", because a select can't have an empty value. */
const ALL = 'all'

const periodNames: Record<Period, string> = {
  today: t`Today`,
  week: t`Last 7 days`,
  month: t`Last 30 days`,
  custom: t`Custom`,
}

/** The filters of the history, which are part of the URL. */
export function Filters({ query }: { query: HistoryQuery }) {
  const { resources } = useSession()
  const navigate = useNavigate()
  const mayReadUsers = useCanRead('users', paths.users)
  // Only the platform's history has declined sign-ups.
  const isPlatform = useCanRead('corporations', paths.corporations)
  const filter = (change: Partial<HistoryQuery>) =>
    void navigate(historyAddress({ ...query, ...change, page: 1 }))
  const { resource, action, user, period, from, to } = query
  return (
    <search
      aria-label={t`Filters`}
      className="pair gap-2 border-b border-line p-3 sm:flex sm:flex-wrap md:p-4 print:hidden"
    >
      <Filter
        label={t`Kind of record`}
        all={t`Everything`}
        value={resource}
        choices={core.historyResources(resources).map(value => ({ value, label: kindName(value) }))}
        onChange={resource => filter({ resource })}
      />
      <Filter
        label={t`Action`}
        all={t`Any action`}
        value={action}
        choices={choicesOf(actionNames).filter(({ value }) => isPlatform || value !== 'declined')}
        onChange={action => filter({ action })}
      />
      {mayReadUsers && <UserFilter user={user} onChange={user => filter({ user })} />}
      <Filter
        label={t`Time`}
        all={t`Any time`}
        value={period}
        choices={choicesOf(periodNames)}
        onChange={period => filter({ period: period as Period | '', from: '', to: '' })}
      />
      {period === 'custom' && <DateRange from={from} to={to} onApply={filter} />}
    </search>
  )
}

type FilterProps = {
  label: string
  /** The label of the choice that doesn't filter. */
  all: string
  /** The chosen value; empty for no filter. */
  value: string
  choices: Choice<string>[]
  onChange: (value: string) => void
}

const Filter = ({ all, value, choices, onChange, ...props }: FilterProps) => (
  <Select
    {...props}
    // The smaller text fits beside another filter on a phone.
    className="text-sm! sm:w-auto sm:max-w-72 sm:min-w-40 lg:min-w-44"
    value={value || ALL}
    choices={[{ value: ALL, label: all }, ...choices]}
    onChange={chosen => onChange(chosen === ALL ? '' : chosen)}
  />
)

/** The number of users to choose from: the largest page that the server returns. */
const MAX_USERS = 100

const listUsers = (signal: AbortSignal) =>
  core.listRecords('users', { page: 1, limit: MAX_USERS, search: '' }, signal)

function UserFilter({ user, onChange }: { user: string; onChange: (user: string) => void }) {
  const { outcome } = useRequest(listUsers)
  const choices = useMemo(() => {
    const users = outcome?.ok ? outcome.value.data : []
    return users.map(each => ({ value: each.user_id, label: fullName(each) }))
  }, [outcome])
  const isListed = !user || choices.some(({ value }) => value === user)
  const unlisted = { value: user, label: outcome ? t`Another user` : '…' }
  return (
    <Filter
      label={t`User`}
      all={t`Any user`}
      value={user}
      choices={isListed ? choices : [...choices, unlisted]}
      onChange={onChange}
    />
  )
}
