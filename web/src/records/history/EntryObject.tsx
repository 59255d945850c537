import { t } from '@lingui/core/macro'
import { Link } from 'react-router'
import type { HistoryEntry } from '~/core'
import { translateDevice } from '~/lib/device'
import { roleName, shownText } from '~/lib/words'
import { isSignIn } from './entries'
import type { PathOf } from './useRecordPaths'

/** The names of file formats. The label of an export's entry is the format of the file. */
const formatNames: Record<string, string> = { csv: t`CSV`, xlsx: t`Excel` }

/** The name of what the entry is about. A link if it is a record whose page the user can open. */
export function EntryObject({ entry, pathOf }: { entry: HistoryEntry; pathOf: PathOf }) {
  const { action, resource, record_id, label, is_deleted } = entry
  if (isSignIn(entry)) return label ? translateDevice(label) : t`an unknown device`
  if (action === 'exported') return formatNames[label] ?? label
  const name = (resource === 'roles' ? roleName(label) : shownText(label)) || t`(no name)`
  const path = record_id && !is_deleted ? pathOf(resource, record_id) : undefined
  if (!path) return <span className="font-medium">{name}</span>
  return (
    <Link to={path} className="rounded font-medium text-accent-text hover:underline">
      {name}
    </Link>
  )
}
