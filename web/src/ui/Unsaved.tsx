import { t } from '@lingui/core/macro'
import { useEffect } from 'react'
import { useBlocker } from 'react-router'
import { core } from '~/core'
import { isOpenedAnew } from '~/language'
import { Confirm } from './Confirm'
import { fromPageEntry } from './dialogHistory'
import { useHeldWork } from './heldWork'

type Props = {
  dirty: boolean
  /** The user asked to discard the changes without leaving the page. */
  asking: boolean
  /** Whether a stored draft restores the changes after a reload. */
  kept?: boolean
  title?: string
  description?: string
  onKeep: () => void
  onDiscard: () => void
}

/** Asks for confirmation before unsaved changes are lost by leaving the page, closing the tab, or discarding them. */
export function Unsaved({
  dirty,
  asking,
  kept = true,
  title = t`Discard your changes?`,
  description = t`Your changes haven't been saved.`,
  onKeep,
  onDiscard,
}: Props) {
  // A signed-out user can't stay, so isn't asked.
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) =>
      dirty && currentLocation.pathname !== nextLocation.pathname && core.hasSession(),
  )
  useHeldWork(dirty)
  useEffect(() => {
    if (!dirty) return
    const ask = (event: BeforeUnloadEvent) => {
      if (!(kept && isOpenedAnew())) event.preventDefault()
    }
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [dirty, kept])
  return (
    <Confirm
      open={asking || blocker.state === 'blocked'}
      title={title}
      description={description}
      keep={t`Keep editing`}
      lose={t`Discard`}
      onKeep={() => {
        blocker.reset?.()
        onKeep()
      }}
      onLose={() => {
        const leave = blocker.proceed
        if (!leave) return onDiscard()
        void fromPageEntry(() => {
          onDiscard()
          leave()
        })
      }}
    />
  )
}
