import { core, type ProblemError } from '~/core'

/** Returns the error as an API problem, if it is one. */
export function problemOf(error: unknown): ProblemError | undefined {
  return core?.isProblem(error) ? error : undefined
}

/** Returns the server's message, or `otherwise`. */
export function messageOf(error: unknown, otherwise: string): string {
  return problemOf(error)?.message || otherwise
}
