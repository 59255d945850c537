import { core, type FieldMessage, type Message, type ProblemError } from '~/core'
import { textOf } from '~/language'

/** Returns the error as a `ProblemError`, if it is one: a failed request or rejected input, not a programming error. */
export function problemOf(error: unknown): ProblemError | undefined {
  return core?.isProblem(error) ? error : undefined
}

/** Returns the sentence to show for an error, or else `fallback`. */
export function messageOf(error: unknown, fallback: string): string {
  const { messages, message } = problemOf(error) ?? {}
  if (messages) return messages[0] ? textOf(messages[0]) : fallback
  // The response of another version of the server.
  if (typeof message === 'string' && message.trim() !== '') return message
  return messagesOf(error).map(textOf).join('; ') || fallback
}

/** Returns the first message of a response. A response of another version of the server has only the English text. */
export function messageIn(response: { message?: unknown; messages?: Message[] }): Message | undefined {
  const { message, messages } = response
  return messages?.[0] ?? (typeof message === 'string' ? { code: '', text: message } : undefined)
}

/** Returns the messages of an error in the order of the screen. */
export function messagesOf(error: unknown): FieldMessage[] {
  const { messages, errors, fields } = problemOf(error) ?? {}
  if (messages) return messages
  // The response of another version of the server has texts without codes.
  const withoutCode = (texts: unknown, field?: string) =>
    (Array.isArray(texts) ? texts : [])
      .filter(text => typeof text === 'string' && text.trim() !== '')
      .map((text: string) => ({ field, code: '', text }))
  const ofFields = Object.entries(fields ?? {}).flatMap(([field, texts]) => withoutCode(texts, field))
  return ofFields.length > 0 ? ofFields : withoutCode(errors)
}
