import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { type Comment, type Contact, core } from '~/core'
import { useOlder } from '~/lib/older'

type Loaded = { of: Contact; comments: Comment[]; total: number }

/**
 * Returns a reloaded contact's comments, which are the newest ones, followed by the older ones that were loaded before.
 */
function merge(known: Comment[], { comments, commentsTotal }: Contact): Comment[] {
  if (comments.length >= commentsTotal) return comments
  const newest = new Set(comments.map(({ _id }) => _id))
  const last = known.findLastIndex(({ _id }) => newest.has(_id))
  return last < 0 ? comments : [...comments, ...known.slice(last + 1)]
}

/**
 * Returns the comments on a contact: the newest ones, which the contact contains, and the older ones loaded so far. The
 * older ones stay when the contact is reloaded.
 */
export function useComments(contact: Contact) {
  const [state, setState] = useState<Loaded>({
    of: contact,
    comments: contact.comments,
    total: contact.commentsTotal,
  })
  const older = useOlder(t`Failed to load older comments`)
  let known = state
  if (state.of !== contact) {
    known = { of: contact, comments: merge(state.comments, contact), total: contact.commentsTotal }
    setState(known)
  }
  const loadOlder = () => {
    const last = known.comments.at(-1)
    if (!last) return
    void older.load(
      signal => core.listOlderComments(contact._id, last._id, signal),
      ({ data, commentsTotal }) => {
        const loaded = new Set(data.map(({ _id }) => _id))
        setState(now => {
          const comments = [...now.comments.filter(({ _id }) => !loaded.has(_id)), ...data]
          // If the server returns no older comment, all are loaded, even if the total says otherwise.
          return { ...now, comments, total: data.length > 0 ? commentsTotal : comments.length }
        })
      },
    )
  }
  return {
    comments: known.comments,
    total: known.total,
    loading: older.isLoading,
    error: older.error,
    loadOlder,
    /** Replaces the comment with this id by `by`; removes it if `by` is undefined. */
    replace: (id: string, by?: Comment) =>
      setState(now => ({
        ...now,
        comments: now.comments.flatMap(comment => (comment._id !== id ? [comment] : by ? [by] : [])),
      })),
  }
}
