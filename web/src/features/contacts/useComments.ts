import { useEffect, useRef, useState } from 'react'
import { type Comment, type Contact, core } from '~/core'
import { settle } from '~/lib/load'
import { messageOf } from '~/lib/problem'

type Known = { of: Contact; comments: Comment[]; total: number }

/** Joins the comments of a newer answer, which are the newest, with those that are known already. The newest come first. */
function merged(known: Comment[], { comments, commentsTotal }: Contact): Comment[] {
  if (comments.length >= commentsTotal) return comments
  const newest = new Set(comments.map(({ _id }) => _id))
  const last = known.findLastIndex(({ _id }) => newest.has(_id))
  return last < 0 ? comments : [...comments, ...known.slice(last + 1)]
}

/**
 * The comments on a contact: the newest, which it carries itself, and as many older ones as were asked for. These stay
 * when a newer answer brings the newest ones again.
 */
export function useComments(contact: Contact) {
  const [state, setState] = useState<Known>({
    of: contact,
    comments: contact.comments,
    total: contact.commentsTotal,
  })
  const [loading, setLoading] = useState(false)
  const [error, setError] = useState<string>()
  const end = useRef<AbortController>(undefined)
  useEffect(() => () => end.current?.abort(), [])
  let known = state
  if (state.of !== contact) {
    known = { of: contact, comments: merged(state.comments, contact), total: contact.commentsTotal }
    setState(known)
  }
  const loadOlder = async () => {
    const last = known.comments.at(-1)
    if (!last || loading) return
    const controller = new AbortController()
    const { signal } = controller
    end.current = controller
    setLoading(true)
    setError(undefined)
    const outcome = await settle(core.listOlderComments(contact._id, last._id, signal))
    if (signal.aborted) return
    setLoading(false)
    if (!outcome.ok) return setError(messageOf(outcome.error, core.texts().contacts.commentsLoadFailed))
    const { data, commentsTotal } = outcome.value
    const older = new Set(data.map(({ _id }) => _id))
    setState(now => {
      const comments = [...now.comments.filter(({ _id }) => !older.has(_id)), ...data]
      // An empty page is the end, whatever the number says.
      return { ...now, comments, total: data.length > 0 ? commentsTotal : comments.length }
    })
  }
  return {
    comments: known.comments,
    total: known.total,
    loading,
    error,
    loadOlder: () => void loadOlder(),
    /** Shows another comment in place of this one, or none. */
    replace: (id: string, by?: Comment) =>
      setState(now => ({
        ...now,
        comments: now.comments.flatMap(comment => (comment._id !== id ? [comment] : by ? [by] : [])),
      })),
  }
}
