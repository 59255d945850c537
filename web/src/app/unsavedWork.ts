import { t } from '@lingui/core/macro'
import { core } from '~/core'
import { drafts, otherUnsavedWork } from '~/lib/drafts'
import { hasUnsavedChanges } from '~/ui/unsavedChanges'

/** How long other tabs may take to answer, in milliseconds. A tab that the browser has frozen doesn't answer. */
const ANSWER_MS = 200

const QUESTION = 'question'
const ANSWER = 'answer'

/** Connects the tabs of this browser. A tab doesn't receive its own messages. */
const tabs = new BroadcastChannel('unsaved-work')
tabs.addEventListener('message', ({ data }) => {
  // If another user than this tab's signs out, the work stays.
  if (data === QUESTION && !core?.hasOtherSession() && ownWork().length > 0) tabs.postMessage(ANSWER)
})

/** Returns sentences about the unsaved work of this tab. */
const ownWork = () => [
  ...otherUnsavedWork(),
  ...(hasUnsavedChanges() || drafts.hasInput() ? [t`Unsaved changes will be deleted.`] : []),
]

/** Returns whether another tab has unsaved work. */
const hasWorkElsewhere = () =>
  new Promise<boolean>(resolve => {
    const ended = new AbortController()
    const end = (isFound: boolean) => {
      ended.abort()
      resolve(isFound)
    }
    setTimeout(end, ANSWER_MS, false)
    tabs.addEventListener('message', ({ data }) => data === ANSWER && end(true), { signal: ended.signal })
    tabs.postMessage(QUESTION)
  })

/** Returns sentences about the unsaved work that a sign-out deletes, in all tabs. Empty if there is none. */
export async function findUnsavedWork(): Promise<string[]> {
  const isElsewhere = await hasWorkElsewhere()
  return [...ownWork(), ...(isElsewhere ? [t`Unsaved work in other tabs will be deleted.`] : [])]
}
