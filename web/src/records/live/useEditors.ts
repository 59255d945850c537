import { useEffect, useState } from 'react'
import { core, type ResourceId } from '~/core'
import { isLive, onLiveEvent } from '~/lib/live'

/** A record that is open in a form. */
export type EditedRecord = {
  resource: ResourceId
  id: string
}

/** Milliseconds between the messages by which a form announces that it is still open. */
const RENEW_MS = 15_000
/**
 * Milliseconds without a message after which another form counts as closed. Hidden tabs run their timers once a minute.
 */
const EXPIRE_MS = 90_000
/** Milliseconds between a form's answers to others, so that they can't cause a flood of them. */
export const ANSWER_PAUSE_MS = 3_000

/** Announces to other users that this user edits a record, and returns the names of the others who edit it. */
export function useEditors(record: EditedRecord | undefined): string[] {
  const [names, setNames] = useState<string[]>([])
  const { resource, id } = record ?? {}
  useEffect(() => {
    if (!id) return
    const editors = new Map<string, { name: string; seen: number }>()
    const show = () => setNames([...editors.values()].map(({ name }) => name))
    // A failure is ignored, because the announcement is only a hint to others. `asks` the others to answer at once.
    const announce = (editing: boolean, asks = false) => {
      const presence = { resource, id, editing, asks }
      void core.sendJson('POST', '/api/events/presence', presence).catch(() => undefined)
    }
    let pause: ReturnType<typeof setTimeout> | undefined
    let isAskedAgain = false
    // Answers at once, and after the pause if asked during it, because the form that asked may have missed the answer.
    const answer = () => {
      if (pause !== undefined) {
        isAskedAgain = true
        return
      }
      announce(true)
      pause = setTimeout(() => {
        pause = undefined
        if (isAskedAgain) answer()
        isAskedAgain = false
      }, ANSWER_PAUSE_MS)
    }
    const stop = onLiveEvent(event => {
      // After `reload`, events were lost, so others may have missed this form's announcement, too.
      if (event.type === 'open' || event.type === 'reload') announce(true, true)
      if (event.type !== 'presence' || event.resource !== resource || event.id !== id) return
      const { user, editing, asks } = event
      if (asks) answer()
      if (editing) editors.set(user.id, { name: user.name, seen: performance.now() })
      else editors.delete(user.id)
      show()
    })
    // Before events arrive, this form would miss the answers.
    if (isLive()) announce(true, true)
    const timer = setInterval(() => {
      for (const [user, { seen }] of editors) {
        if (performance.now() - seen > EXPIRE_MS) editors.delete(user)
      }
      show()
      announce(true)
    }, RENEW_MS)
    return () => {
      stop()
      clearInterval(timer)
      clearTimeout(pause)
      announce(false)
      setNames([])
    }
  }, [resource, id])
  return names
}
