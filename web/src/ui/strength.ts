import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { translations } from '@zxcvbn-ts/language-en'
import { advice } from './passwordAdvice'

const judge = new ZxcvbnFactory({
  dictionary,
  graphs: adjacencyGraphs,
  translations: { ...translations, ...advice },
})

/**
 * Only this many characters from the start are checked, because a longer password is strong unless it repeats itself.
 */
const MAX_CHECKED_LENGTH = 64

export type Strength = {
  /** From 0 (trivial to guess) to 4 (infeasible to guess). */
  score: 0 | 1 | 2 | 3 | 4
  /** A sentence that says why the password is weak or how to improve it. Empty if there is no advice. */
  advice: string
}

/** Estimates how hard a password is to guess for an attacker who tries common passwords and the words in `known`. */
export function estimateStrength(password: string, known: string[]): Strength {
  const { score, feedback } = judge.check(password.slice(0, MAX_CHECKED_LENGTH), known)
  return { score, advice: feedback.warning || feedback.suggestions[0] || '' }
}
