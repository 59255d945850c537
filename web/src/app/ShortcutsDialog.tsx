import { t } from '@lingui/core/macro'
import { Fragment, useId } from 'react'
import { core } from '~/core'
import { useSession } from '~/lib/session'
import { kinds } from '~/records/kinds'
import { COMMAND, UNDO } from '~/ui/command'
import { cx } from '~/ui/cx'
import { Dialog } from '~/ui/Dialog'
import { Key } from '~/ui/Key'
import { Switch } from '~/ui/Switch'
import { setSingleKeysEnabled, useShortcuts, useSingleKeysEnabled } from '~/ui/shortcuts'
import { mayOpenTrash } from './accountPages'

type Props = { open: boolean; onClose: () => void }

/** The dialog that lists the shortcuts of the current page, and can switch off single-key shortcuts. */
export function ShortcutsDialog({ open, onClose }: Props) {
  return (
    <Dialog open={open} title={t`Keyboard shortcuts`} size="small" onClose={onClose}>
      <Shortcuts />
    </Dialog>
  )
}

function Shortcuts() {
  const all = useShortcuts()
  const areEnabled = useSingleKeysEnabled()
  const { resources } = useSession()
  const mayDelete = mayOpenTrash(resources)
  const maySelect =
    mayDelete || [...kinds.values()].some(({ resource }) => core.may(resources, resource, 'update'))
  const rows = (isEverywhere: boolean) =>
    all
      .filter(shortcut => shortcut.isEverywhere === isEverywhere)
      .map(({ key, name }) => ({ name, keys: key.toUpperCase(), isOff: !areEnabled }))
  const commands = [
    { name: t`Find anything`, keys: COMMAND.label, isOff: false },
    ...(mayDelete ? [{ name: t`Undo a deletion`, keys: UNDO.label, isOff: false }] : []),
    { name: t`Go to the newest notification, and back`, keys: 'F6', isOff: false },
  ]
  const lists = maySelect
    ? [{ name: t`Select all rows up to the focused one`, keys: t`Shift Space`, isOff: false }]
    : []
  return (
    <>
      <Rows title={t`On this screen`} rows={rows(false)} />
      <Rows title={t`In lists`} rows={lists} />
      <Rows title={t`Everywhere`} rows={[...commands, ...rows(true)]} />
      <div className="mt-5 border-t border-line pt-4">
        <Switch
          label={t`Single-key shortcuts`}
          help={t`Turn these off if you use speech input or often press keys by accident. ${COMMAND.label} always works.`}
          checked={areEnabled}
          onChange={setSingleKeysEnabled}
        />
      </div>
    </>
  )
}

type RowsProps = { title: string; rows: { name: string; keys: string; isOff: boolean }[] }

/** A section of shortcuts. Those with the same name share a row. */
function Rows({ title, rows }: RowsProps) {
  const id = useId()
  const names = [...new Set(rows.map(({ name }) => name))]
  if (rows.length === 0) return null
  return (
    <section aria-labelledby={id} className="mt-5">
      <h3 id={id} className="text-xs font-medium text-muted">
        {title}
      </h3>
      <dl className="mt-1 divide-y divide-line">
        {names.map(name => {
          const same = rows.filter(row => row.name === name)
          return (
            <div key={name} className="flex min-h-10 items-center justify-between gap-4 py-1.5">
              <dt className={cx('min-w-0', same.every(({ isOff }) => isOff) && 'text-muted')}>{name}</dt>
              <dd className="flex items-center gap-2">
                {same.map(({ keys, isOff }) => (
                  <Fragment key={keys}>
                    {isOff && <span className="text-xs text-muted">{t`off`}</span>}
                    <Key className={cx(isOff && 'text-muted')}>{keys}</Key>
                  </Fragment>
                ))}
              </dd>
            </div>
          )
        })}
      </dl>
    </section>
  )
}
