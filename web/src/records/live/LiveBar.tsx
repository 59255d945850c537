import { plural, t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import type { LiveChange } from '~/core'
import { buttonClass } from '~/ui/Button'
import { useRescuedFocus } from '~/ui/useRescuedFocus'
import type { Records } from '../useRecords'
import { useLiveChanges } from './useLiveChanges'

type Props<R> = {
  /** Returns whether a change may concern the list. */
  concerns: (change: LiveChange) => boolean
  records: Pick<Records<R>, 'loaded' | 'refresh' | 'section'>
  /** Requests the list again, to find out whether it has changed. */
  load: Records<R>['load'] | undefined
}

/**
 * A button that says that the list's records have changed and loads the list again. It is on the list's upper edge.
 */
export function LiveBar<R>({ concerns, records, load }: Props<R>) {
  const { loaded, refresh, section } = records
  const count = useLiveChanges(concerns, loaded, load)
  const isOffered = count !== 0 && loaded.outcome?.ok === true
  const [wasShown, setShown] = useState(false)
  useEffect(() => {
    if (isOffered) setShown(false)
  }, [isOffered])
  useRescuedFocus(isOffered, () => section.current?.focus({ preventScroll: true }))
  return (
    <div className="pointer-events-none sticky top-[calc(var(--header)+1.5rem+var(--offline-bar))] z-20 flex h-0 justify-center print:hidden">
      <span role="status" className="sr-only">
        {isOffered && announcementOf(count)}
        {wasShown && count === 0 && loaded.outcome?.ok && t`The list is up to date`}
      </span>
      {isOffered && (
        <button
          type="button"
          // Fits between the tabs of the views and the search box. On a touch screen its target is larger.
          className={buttonClass(
            'primary',
            'pointer-events-auto h-7! min-h-0! -translate-y-3 px-3! shadow-lg max-md:-translate-y-4 touch:after:absolute touch:after:-inset-x-2 touch:after:-inset-y-1.5',
          )}
          onClick={() => {
            setShown(true)
            section.current?.focus({ preventScroll: true })
            refresh()
          }}
        >
          {count === undefined
            ? t`New changes · Show`
            : plural(count, { one: '# change · Show', other: '# changes · Show' })}
        </button>
      )}
    </div>
  )
}

const announcementOf = (count: number | undefined) =>
  count === undefined ? t`New changes` : plural(count, { one: '# change', other: '# changes' })
