import { useRef } from 'react'
import { core } from '~/core'
import { createdBefore, isGone, isUnanswered } from '~/core/problem'
import { drafts, type SentRequest } from './drafts'
import { randomId } from './randomId'
import { isSame } from './rebase'

/** The version of a record that nobody has changed since its creation. */
const FIRST_VERSION = 1

type Settings<B, S> = {
  /** Sends the request. If the server has already created something for this key and body, the result is that. */
  send: (body: B, key: string) => Promise<S>
  /** Saves input that differs from what was sent first; `version` is the one on which the input is based. */
  update?: (created: S, body: B, version: number) => Promise<S>
  /** The storage key of the form's draft. */
  draft: string
}

/**
 * Returns `create`, which sends a creation with an `Idempotency-Key`, so that a retry creates no second record. The
 * key is stored until the outcome is known, also across a reload.
 *
 * If the input has changed since the lost request, the server may have stored either one. With `update`, the retry
 * uses the same key and then updates the record to the present input, also if the server rejects the body because the
 * record exists. Without `update`, changed input gets a new key.
 *
 * If the update conflicts, call `create` again with the version of the conflict.
 *
 * `sentAt` is the time of the first attempt. A record that was created later may be the result of this form.
 */
export function useCreation<B extends object, S>({ send, update, draft }: Settings<B, S>) {
  /** The latest request with its body. The stored copy has no body if that contains secrets. */
  const latest = useRef<SentRequest<B>>(undefined)

  const readPrevious = () => {
    const stored = drafts.readRequest<B>(draft)
    return stored && stored.key === latest.current?.key ? latest.current : stored
  }

  const create = async (body: B, version = FIRST_VERSION): Promise<S> => {
    const previous = readPrevious()
    const isChanged = previous !== undefined && !isSame(previous.body, body)
    const retryOf = isChanged && !update ? undefined : previous
    const key = retryOf?.key ?? randomId()
    const sentAt = retryOf?.sentAt ?? Date.now()
    // The attempts had different bodies, so the stored record may have either one: the next call updates it.
    latest.current = { key, body: isChanged && update ? undefined : body, sentAt }
    // Stored before it is sent, because the page may be reloaded before the response arrives.
    if (core.hasSession()) drafts.saveRequest(draft, latest.current)
    // The form may have been closed, and another form may have stored its own request.
    const ownsStoredRequest = () => drafts.readRequest(draft)?.key === key
    try {
      const saved = await send(body, key).then(
        created => (isChanged && update ? update(created, body, version) : created),
        thrown => {
          const created = createdBefore(thrown) as S | undefined
          if (created === undefined || !update) throw thrown
          return update(created, body, version)
        },
      )
      if (ownsStoredRequest()) drafts.forget(draft)
      return saved
    } catch (thrown) {
      // A 404 of a retry says that the record was deleted. Any other error says nothing about the first attempt.
      const mayBeCreated = retryOf ? !isGone(thrown) : isUnanswered(thrown)
      if (!mayBeCreated && ownsStoredRequest()) drafts.forgetRequest(draft)
      throw thrown
    }
  }

  return { create, sentAt: drafts.readRequest(draft)?.sentAt }
}
