import { useRef } from 'react'
import { core } from '~/core'
import { isGone, isUnanswered } from '~/core/problem'
import { drafts, type SentRequest } from './drafts'
import { randomId } from './randomId'
import { isSame } from './rebase'

/** The version of a record that nobody has changed since its creation. */
const FIRST_VERSION = 1

type Settings<B, S> = {
  /** Sends the request. If the server has already created something for this key, the result is that. */
  send: (body: B, key: string) => Promise<S>
  /** Saves input that differs from what was sent first; `version` is the one on which the input is based. */
  update?: (created: S, body: B, version: number) => Promise<S>
  /** The storage key of the form's draft. */
  draft: string
}

/**
 * Returns `create`, which creates something once: if the response is lost, the next call repeats the request
 * with its key, also after a reload. If the input has changed meanwhile, `update` then saves it, because the server
 * may have stored the earlier one. Without `update`, changed input is a new request. After a conflict of the update,
 * call `create` with the version of the conflict. `sentAt` is when the request was first sent: what the server has
 * created since may be the result.
 */
export function useCreation<B extends object, S>({ send, update, draft }: Settings<B, S>) {
  // Also with a body that isn't stored, because it contains secrets.
  const latest = useRef<SentRequest<B>>(undefined)

  const readSent = () => {
    const stored = drafts.readRequest<B>(draft)
    return stored && stored.key === latest.current?.key ? latest.current : stored
  }

  const create = async (body: B, version = FIRST_VERSION): Promise<S> => {
    const sent = readSent()
    const isChanged = sent !== undefined && !isSame(sent.body, body)
    const repeated = isChanged && !update ? undefined : sent
    const key = repeated?.key ?? randomId()
    const sentAt = repeated?.sentAt ?? Date.now()
    latest.current = { key, body: isChanged && update ? undefined : body, sentAt }
    // Stored before it is sent, because the page may be reloaded before the response arrives.
    if (core.hasSession()) drafts.saveRequest(draft, latest.current)
    // The form may be closed before the response arrives, and another one may have sent a request.
    const isStored = () => drafts.readRequest(draft)?.key === key
    try {
      const created = await send(body, key)
      const saved = isChanged && update ? await update(created, body, version) : created
      if (isStored()) drafts.forget(draft)
      return saved
    } catch (thrown) {
      // Other errors of a repeated request, such as too many requests, don't say what an earlier attempt has stored.
      const mayExist = repeated ? !isGone(thrown) : isUnanswered(thrown)
      if (!mayExist && isStored()) drafts.forgetRequest(draft)
      throw thrown
    }
  }

  return { create, sentAt: drafts.readRequest(draft)?.sentAt }
}
