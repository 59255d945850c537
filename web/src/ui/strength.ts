import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary } from '@zxcvbn-ts/language-common'
import { translations } from '@zxcvbn-ts/language-en'

const judge = new ZxcvbnFactory({ dictionary, graphs: adjacencyGraphs, translations })

/** A password longer than this is strong whatever it is made of, unless it repeats itself; the rest isn't looked at. */
const LOOKED_AT = 64

export type Strength = {
  /** From 0, guessed at once, to 4, not to be guessed. */
  score: 0 | 1 | 2 | 3 | 4
  /** What makes it easy to guess, or how to make it harder; empty where there is nothing to say. */
  advice: string
}

/** How hard a password is to guess for who knows the common passwords and the given words. */
export function strengthOf(password: string, known: string[]): Strength {
  const { score, feedback } = judge.check(password.slice(0, LOOKED_AT), known)
  return { score, advice: feedback.warning || feedback.suggestions[0] || '' }
}
