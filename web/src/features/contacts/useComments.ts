import { t } from '@lingui/core/macro'
import { useEffect, useRef, useState } from 'react'
import { type Comment, type Contact, core } from '~/core'
import { messageOf } from '~/core/problem'
import { settle } from '~/lib/load'

type Loaded = { of: Contact; comments: Comment[]; total: number }

/** Merges the comments of a newer response, which are the newest ones, with those already loaded. Newest first. */
function merge(known: Comment[], { comments, commentsTotal }: Contact): Comment[] {
  if (comments.length >= commentsTotal) return comments
  const newest = new Set(comments.map(({ _id }) => _id))
  const last = known.findLastIndex(({ _id }) => newest.has(_id))
  return last < 0 ? comments : [...comments, ...known.slice(last + 1)]
}

/**
 * Returns the comments on a contact: the newest ones, which the contact contains, and the older ones loaded so far, which
 * stay when the contact is reloaded.
 */
export function useComments(contact: Contact) {
  const [state, setState] = useState<Loaded>({
    of: contact,
    comments: contact.comments,
    total: contact.commentsTotal,
  })
  const [loading, setLoading] = useState(false)
  const [error, setError] = useState<string>()
  const request = useRef<AbortController>(undefined)
  useEffect(() => () => request.current?.abort(), [])
  let known = state
  if (state.of !== contact) {
    known = { of: contact, comments: merge(state.comments, contact), total: contact.commentsTotal }
    setState(known)
  }
  const loadOlder = async () => {
    const last = known.comments.at(-1)
    if (!last || loading) return
    const controller = new AbortController()
    const { signal } = controller
    request.current = controller
    setLoading(true)
    setError(undefined)
    const outcome = await settle(core.listOlderComments(contact._id, last._id, signal))
    if (signal.aborted) return
    setLoading(false)
    if (!outcome.ok) return setError(messageOf(outcome.error, t`Failed to load older comments`))
    const { data, commentsTotal } = outcome.value
    const older = new Set(data.map(({ _id }) => _id))
    setState(now => {
      const comments = [...now.comments.filter(({ _id }) => !older.has(_id)), ...data]
      // An empty page is the end, even if the total says otherwise.
      return { ...now, comments, total: data.length > 0 ? commentsTotal : comments.length }
    })
  }
  return {
    comments: known.comments,
    total: known.total,
    loading,
    error,
    loadOlder: () => void loadOlder(),
    /** Replaces a comment by another, or removes it. */
    replace: (id: string, by?: Comment) =>
      setState(now => ({
        ...now,
        comments: now.comments.flatMap(comment => (comment._id !== id ? [comment] : by ? [by] : [])),
      })),
  }
}
