import { useEffect, useState } from 'react'
import { core } from '~/core'
import { onLiveEvent } from '~/lib/live'

/** A record that is open in a form. */
export type EditedRecord = {
  resource: 'contacts' | 'customers' | 'invoices' | 'vehicles' | 'agreements'
  id: string
}

/** How often a form says that it is still open. */
const RENEW_MS = 15_000
/** When another form that says nothing more counts as closed. Browsers run the timers of a hidden tab once a minute. */
const EXPIRE_MS = 90_000

/** Shows other users that this one edits a record, and returns the names of those who edit it, too. */
export function useEditors(record: EditedRecord | undefined): string[] {
  const [names, setNames] = useState<string[]>([])
  const { resource, id } = record ?? {}
  useEffect(() => {
    if (!id) return
    const editors = new Map<string, { name: string; seen: number }>()
    const show = () => setNames([...editors.values()].map(({ name }) => name))
    // Nothing depends on it, so a failure is not shown.
    const announce = (editing: boolean) =>
      void core.sendJson('POST', '/api/events/presence', { resource, id, editing }).catch(() => undefined)
    const stop = onLiveEvent(event => {
      // Others may have lost what this form said, too.
      if (event.type === 'reload') announce(true)
      if (event.type !== 'presence' || event.resource !== resource || event.id !== id) return
      const { user, editing } = event
      // A new editor has not seen yet that this form is open.
      if (editing && !editors.has(user.id)) announce(true)
      if (editing) editors.set(user.id, { name: user.name, seen: performance.now() })
      else editors.delete(user.id)
      show()
    })
    announce(true)
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
      announce(false)
      setNames([])
    }
  }, [resource, id])
  return names
}
