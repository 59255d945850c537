import { t } from '@lingui/core/macro'
import { CircleStop, Contact, Ellipsis, FileDown, Trash2, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import type { ImportSession, Permissions } from '~/core'
import { paths } from '~/lib/paths'
import { useFocusEntryOnUnmount } from '~/records/history/EntryUndo'
import type { EntryUndo } from '~/records/history/useEntryUndo'
import { ViewLink } from '~/records/RowActions'
import { IconButton } from '~/ui/IconButton'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { Menu, MenuItems } from '~/ui/Menu'
import { usePhone } from '~/ui/usePhone'
import type { useFailedRows } from './useFailedRows'

type Props = {
  session: ImportSession
  isRunning: boolean
  failedRows: ReturnType<typeof useFailedRows>
  undo: EntryUndo
  /** The permissions on contacts. */
  may: Permissions
  mayDelete: boolean
  onCancel: () => void
  onDelete: (session: ImportSession) => void
}

/**
 * The buttons of an import in the list. On a phone they are in a menu, whose button gets the focus back when the
 * preview of undoing the import closes.
 */
export function ImportActions(props: Props): ReactNode {
  const { session, isRunning, failedRows, undo, may, mayDelete, onCancel, onDelete } = props
  const { sessionId, fileName, failedRecords, hasContacts, hasUnboundContacts } = session
  const phone = usePhone()
  const undoButton = (
    <IconButton
      key="undo"
      ref={undo.button}
      label={t`Undo the import of ${fileName}`}
      tip={t`Undo import`}
      icon={<Undo2 aria-hidden className="size-4.5" />}
      aria-busy={undo.isBusy || undefined}
      aria-expanded={undo.preview !== undefined}
      onClick={() => (undo.preview ? undo.close() : void undo.open())}
    />
  )
  const actions = [
    failedRecords > 0 && may.can_read && (
      <IconButton
        key="failed"
        label={t`Download the rows with problems of ${fileName}`}
        tip={t`Download rows with problems`}
        icon={<FileDown aria-hidden className="size-4.5" />}
        aria-busy={failedRows.busy || undefined}
        onClick={() => !failedRows.busy && failedRows.download(session)}
      />
    ),
    hasContacts && may.can_read && (
      <ViewLink
        key="contacts"
        to={paths.importedContacts(sessionId)}
        label={t`View contacts from ${fileName}`}
        tip={t`View contacts`}
        icon={Contact}
      />
    ),
    !isRunning &&
      hasUnboundContacts &&
      undo.mayUndo &&
      (phone ? (
        undoButton
      ) : (
        <WithFocusRescue key="undo" button={undo.button}>
          {undoButton}
        </WithFocusRescue>
      )),
    isRunning && may.can_create && (
      <IconButton
        key="cancel"
        label={t`Cancel the import of ${fileName}`}
        tip={t`Cancel import`}
        icon={<CircleStop aria-hidden className="size-4.5" />}
        onClick={onCancel}
      />
    ),
    !isRunning && mayDelete && (
      <IconButton
        key="delete"
        label={t`Delete the import of ${fileName}`}
        tip={t`Delete import`}
        isDanger
        icon={<Trash2 aria-hidden className="size-4.5" />}
        onClick={() => onDelete(session)}
      />
    ),
  ].filter(Boolean)
  if (!phone || actions.length === 0) return actions
  return (
    <WithFocusRescue button={undo.button}>
      <Menu
        trigger={
          <button
            ref={undo.button}
            type="button"
            aria-label={t`Actions for ${fileName}`}
            className={iconButtonClass}
          >
            <Ellipsis aria-hidden className="size-5" />
          </button>
        }
      >
        <MenuItems>{actions}</MenuItems>
      </Menu>
    </WithFocusRescue>
  )
}

type RescueProps = { button: EntryUndo['button']; children: ReactNode }

/** Focuses the import when the button disappears while it has the focus. */
function WithFocusRescue({ button, children }: RescueProps) {
  useFocusEntryOnUnmount(button)
  return children
}
