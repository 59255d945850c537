import { useState } from 'react'
import { isGone, problemOf } from '~/core/problem'
import { drafts, type LostRequest } from './drafts'
import { randomId } from './randomId'
import { isSame } from './rebase'

/** The version of a record that nobody has changed since its creation. */
const FIRST_VERSION = 1

/** Returns whether the server may have processed the request although its response is missing. */
const isUnanswered = (thrown: unknown) => {
  const { status } = problemOf(thrown) ?? {}
  return status === 0 || (status !== undefined && status >= 500)
}

type Settings<B, S> = {
  /** Sends the request. If the server has already created something for this key, the result is that. */
  send: (body: B, key: string) => Promise<S>
  /** Saves input that differs from what was sent first; `version` is the one on which the input is based. */
  update?: (created: S, body: B, version: number) => Promise<S>
  /** The storage key of the form's draft: a lost request is still recognized once the draft is restored. */
  draft: string
}

/**
 * Returns `create`, which creates something once: if the response is lost, the next call repeats the request
 * with its key. If the input has changed meanwhile, `update` then saves it, because the server may have stored
 * the earlier one. Without `update`, changed input is a new request. After a conflict of the update, call
 * `create` with the version of the conflict. While `hasLostRequest`, it may have been created already.
 */
export function useCreation<B, S>({ send, update, draft }: Settings<B, S>) {
  // Unlike the stored request, this one always has the body, and stays while the user has emptied the form.
  const [lost, setLost] = useState<LostRequest<B>>()

  const findLost = () => lost ?? drafts.readRequest<B>(draft)

  const remember = (request: LostRequest<B>) => {
    setLost(request)
    // The body of a record may contain secrets. After a reload, `update` also saves unchanged input.
    drafts.saveRequest(draft, update ? { key: request.key } : request)
  }

  const forget = () => {
    setLost(undefined)
    drafts.forgetRequest(draft)
  }

  const create = async (body: B, version = FIRST_VERSION): Promise<S> => {
    const before = findLost()
    const isChanged = before !== undefined && !isSame(before.body, body)
    const repeated = isChanged && !update ? undefined : before
    const key = repeated?.key ?? randomId()
    try {
      const created = await send(body, key)
      const saved = isChanged && update ? await update(created, body, version) : created
      forget()
      return saved
    } catch (thrown) {
      if (repeated && isGone(thrown)) {
        // It was created and then deleted: the next call creates another.
        forget()
      } else if (repeated || isUnanswered(thrown)) {
        // Other errors, such as too many requests, don't say what an earlier attempt has stored.
        remember({ key, body: isChanged && update ? undefined : body })
      }
      throw thrown
    }
  }

  return { create, hasLostRequest: findLost() !== undefined }
}
