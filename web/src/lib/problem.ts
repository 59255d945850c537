import { core, type ProblemError } from '~/core'

/** Returns the error as an API problem, if it is one. */
export function problemOf(error: unknown): ProblemError | undefined {
  return core?.isProblem(error) ? error : undefined
}

export function messageOf(error: unknown, fallback: string): string {
  return problemOf(error)?.message || fallback
}
