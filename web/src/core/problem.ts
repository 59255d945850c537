import { core, type FieldMessage, type Message, type ProblemError } from '~/core'
import { textOf } from '~/language'

/**
 * Returns the error if it is a `ProblemError` (a failed request or rejected input); undefined for a programming error.
 */
export function problemOf(error: unknown): ProblemError | undefined {
  return core?.isProblem(error) ? error : undefined
}

/**
 * Returns whether an error means that a request conflicts with the present data (409), usually because another user has
 * changed it.
 */
export const isConflict = (error: unknown): boolean => problemOf(error)?.status === 409

/** Returns whether an error means that the user may not do something, or no longer may (403). */
export const isForbidden = (error: unknown): boolean => problemOf(error)?.status === 403

/** Returns whether an error means that the server is unreachable. */
export const isUnreachable = (error: unknown): boolean => problemOf(error)?.status === 0

/** Returns whether an error means that something does not exist, or no longer does (404). */
export const isGone = (error: unknown): boolean => problemOf(error)?.status === 404

/** Returns what an earlier request with the same key and another body has created, if that is the error. */
export function createdBefore(error: unknown): unknown {
  const { status, present } = problemOf(error) ?? {}
  return status === 400 ? present : undefined
}

/** Returns whether the server may have processed the request although its response is missing. */
export function isUnanswered(error: unknown): boolean {
  const { status } = problemOf(error) ?? {}
  return status === 0 || (status !== undefined && status >= 500)
}

/** Returns the sentence to show for an error; `fallback` if it has no message. */
export function messageOf(error: unknown, fallback: string): string {
  const { messages, message } = problemOf(error) ?? {}
  if (messages) return messages[0] ? textOf(messages[0]) : fallback
  // A response of an older server version has only an English text.
  if (typeof message === 'string' && message.trim() !== '') return message
  return messagesOf(error).map(textOf).join('; ') || fallback
}

/** The messages of a response. An older server version sends only an English text. */
export type Reply = { message?: unknown; messages?: Message[] }

/** Returns the first message of a response; undefined if it has none. */
export const messageIn = ({ message, messages }: Reply): Message | undefined =>
  messages?.[0] ?? (typeof message === 'string' ? { code: '', text: message } : undefined)

/** Returns the sentence of a response's first message; `fallback` if it has none. */
export function textIn(reply: Reply | null | undefined, fallback: string): string {
  const message = reply && messageIn(reply)
  return (message && textOf(message)) || fallback
}

/** Returns the messages of an error, in the order of the form's fields. Empty if it has none. */
export function messagesOf(error: unknown): FieldMessage[] {
  const { messages, errors, fields } = problemOf(error) ?? {}
  if (messages) return messages
  // The response of an older server version has texts without codes.
  const withoutCode = (texts: unknown, field?: string) =>
    (Array.isArray(texts) ? texts : [])
      .filter(text => typeof text === 'string' && text.trim() !== '')
      .map((text: string) => ({ field, code: '', text }))
  const ofFields = Object.entries(fields ?? {}).flatMap(([field, texts]) => withoutCode(texts, field))
  return ofFields.length > 0 ? ofFields : withoutCode(errors)
}
