import { core, type ProblemError } from '~/core'

/** The refusal in whatever was thrown, if it is one. */
export function problemOf(error: unknown): ProblemError | undefined {
  return core?.isProblem(error) ? error : undefined
}

/** The sentence to show: the server's own if there is one. */
export function sentenceOf(error: unknown, otherwise: string): string {
  return problemOf(error)?.message || otherwise
}

/** Was the update refused because somebody else has changed the record since it was opened? */
export const isStale = (error: unknown) => problemOf(error)?.message === core.texts().general.stale
