import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { core } from '~/core'
import { isReloading } from '~/language'
import { Confirm } from './Confirm'
import { fromPageEntry } from './dialogHistory'
import { type Discarding, useUnsavedChanges } from './unsavedChanges'

type Props = {
  dirty: boolean
  /** The question is open because the user chose to discard the changes, not because of a navigation. */
  isAsking: boolean
  /** Whether a stored draft restores the changes after a reload. */
  isDraftStored?: boolean
  title?: string
  description?: string
  onKeep: () => void
  onDiscard: () => void
  /** Replaces `onDiscard` if the changes are discarded because the user leaves the page. */
  onLeave?: () => void
}

/** Asks for confirmation before unsaved changes are lost by leaving the page, closing the tab, or discarding them. */
export function Unsaved({
  dirty,
  isAsking,
  isDraftStored = true,
  title = t`Discard your changes?`,
  description = t`Your changes haven't been saved.`,
  onKeep,
  onDiscard,
  onLeave = onDiscard,
}: Props) {
  // A user whose session has ended isn't asked, because they must leave for the login page.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation, historyAction }) =>
      dirty &&
      currentLocation.pathname !== nextLocation.pathname &&
      (core.hasSession() || core.hasOtherSession()) &&
      // Back to the list keeps the state, but doesn't delete a record.
      !(historyAction === 'REPLACE' && (nextLocation.state as Partial<Discarding> | null)?.discardsChanges),
  )
  useUnsavedChanges(dirty)
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => {
      if (!(isDraftStored && isReloading())) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [dirty, isDraftStored])
  return (
    <Confirm
      open={isAsking || blocker.state === 'blocked'}
      title={title}
      description={description}
      cancelLabel={t`Keep editing`}
      confirmLabel={t`Discard`}
      onCancel={() => {
        blocker.reset?.()
        onKeep()
      }}
      onConfirm={() => {
        const leave = blocker.proceed
        if (!leave) return onDiscard()
        void fromPageEntry(() => {
          onLeave()
          leave()
        })
      }}
    />
  )
}
