import { Autocomplete } from '@base-ui/react/autocomplete'
import { t } from '@lingui/core/macro'
import { ArrowRight } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router'
import { count } from '~/lib/format'
import { listAddress } from '~/lib/query'
import { useSession } from '~/lib/session'
import { kinds } from '~/records/kinds'
import { iconOf } from '~/ui/icons'
import { type Entry, filterEntries, type Group } from './entry'
import { searchableKinds } from './kinds'
import { type Recent, recentlyOpened, rememberOpened } from './recent'
import { useActions, useScreens } from './useLocalEntries'
import { useRecordSearch } from './useRecordSearch'

/**
 * Returns the palette's entries for the typed text, by group. Pages and actions come first, so they keep their position
 * when the records that the server finds arrive.
 */
export function useGroups(text: string, onShortcuts: () => void) {
  const { resources } = useSession()
  const navigate = useNavigate()
  const { contains } = Autocomplete.useFilter()
  const readable = useMemo(() => searchableKinds(resources), [resources])
  const [recent] = useState(recentlyOpened)
  const screens = useScreens()
  const actions = useActions(onShortcuts)
  const { records, retry } = useRecordSearch(readable, text)
  const opening = (record: Recent): Entry => ({
    id: `${record.kind} ${record.id}`,
    title: record.title,
    note: record.note,
    icon: iconOf(kinds.get(record.kind)?.icon ?? ''),
    choose: () => {
      rememberOpened(record)
      void navigate(record.to)
    },
  })
  const reopened = recent.filter(({ kind }) => readable.some(({ resource }) => resource === kind))
  const groups: Group[] = [
    { title: t`Recently opened`, items: text ? [] : reopened.map(opening) },
    { title: t`Screens`, items: filterEntries(screens, text, contains) },
    { title: t`Actions`, items: filterEntries(actions, text, contains) },
  ]
  for (const { kind, found, total } of records.state === 'found' ? records.found : []) {
    const { resource, title, route } = kind
    const items = found.map(one => opening({ ...one, kind: resource }))
    if (total > found.length) {
      items.push({
        id: `all ${resource}`,
        title: t`All ${count(total)} in ${title}`,
        icon: ArrowRight,
        choose: () => void navigate(listAddress(route, { page: 1, search: text })),
      })
    }
    groups.push({ title, items })
  }
  return { groups: groups.filter(({ items }) => items.length > 0), records, retry }
}
