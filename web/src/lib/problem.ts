import { core, type ProblemError } from '~/core'

/** The refusal in whatever was thrown, if it is one. */
export function problemOf(error: unknown): ProblemError | undefined {
  return core?.isProblem(error) ? error : undefined
}

/** The sentence to show: the server's own if there is one. */
export function sentenceOf(error: unknown, otherwise: string): string {
  return problemOf(error)?.message || otherwise
}
