import { Menu } from '@base-ui/react/menu'
import { t } from '@lingui/core/macro'
import { Eye, type LucideIcon, Pencil, Trash2 } from 'lucide-react'
import { type ReactNode, useContext } from 'react'
import type { Permissions } from '~/core'
import { IconButton, WithTip } from '~/ui/IconButton'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { InMenu } from '~/ui/Menu'
import { RecordLink } from './RecordLink'

/** Returns the CSS width of a table's column that has this number of icon buttons in each row. */
export const widthOfButtons = (count: number) => `calc(2.5rem + ${count} * var(--icon-button))`

type Props<R> = {
  records: { may: Permissions; edit: (record: R) => void; remove: (record: R) => void }
  record: R
  label: string
  /** Tooltip text, if different from the label. In a menu the default is the action without the record's name. */
  tip?: string
}

/** A button that opens the form of a record. Rendered only for users who may edit the record. */
export function EditButton<R>({ records: { may, edit }, record, ...button }: Props<R>): ReactNode {
  const tip = useContext(InMenu) ? t`Edit` : undefined
  const icon = <Pencil aria-hidden className="size-4.5" />
  return may.can_update && <IconButton tip={tip} {...button} icon={icon} onClick={() => edit(record)} />
}

/** A button that opens the dialog to delete a record. Rendered only for users who may delete it. */
export function DeleteButton<R>({ records: { may, remove }, record, ...button }: Props<R>): ReactNode {
  const tip = useContext(InMenu) ? t`Delete` : undefined
  const icon = <Trash2 aria-hidden className="size-4.5" />
  return (
    may.can_delete && <IconButton tip={tip} {...button} isDanger icon={icon} onClick={() => remove(record)} />
  )
}

type ViewProps = { to: string; label: string; tip?: string; icon?: LucideIcon; keepsSearch?: boolean }

/** A link with an icon to the page of a record. */
export function ViewLink({ label, tip = t`View details`, icon: Icon = Eye, ...link }: ViewProps) {
  if (useContext(InMenu)) {
    return (
      <Menu.LinkItem closeOnClick render={<RecordLink {...link} />} aria-label={label} className="option">
        <Icon aria-hidden className="size-4.5" />
        {tip}
      </Menu.LinkItem>
    )
  }
  return (
    <WithTip tip={tip}>
      <RecordLink {...link} aria-label={label} className={iconButtonClass}>
        <Icon aria-hidden className="size-4.5" />
      </RecordLink>
    </WithTip>
  )
}
