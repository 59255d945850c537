import { t } from '@lingui/core/macro'
import type { translations } from '@zxcvbn-ts/language-en'

/** The translated advice of the password estimator (zxcvbn), by the estimator's keys. */
export const advice = {
  warnings: {
    straightRow: t`Straight rows of keys on your keyboard are easy to guess.`,
    keyPattern: t`Short keyboard patterns are easy to guess.`,
    simpleRepeat: t`Repeated characters like "aaa" are easy to guess.`,
    extendedRepeat: t`Repeated character patterns like "abcabcabc" are easy to guess.`,
    sequences: t`Common character sequences like "abc" are easy to guess.`,
    recentYears: t`Recent years are easy to guess.`,
    dates: t`Dates are easy to guess.`,
    topTen: t`This is a heavily used password.`,
    topHundred: t`This is a frequently used password.`,
    common: t`This is a commonly used password.`,
    similarToCommon: t`This is similar to a commonly used password.`,
    wordByItself: t`Single words are easy to guess.`,
    namesByThemselves: t`Single names or surnames are easy to guess.`,
    commonNames: t`Common names and surnames are easy to guess.`,
    userInputs: t`Don't use personal data or words from this page.`,
    pwned: t`Your password was exposed by a data breach on the Internet.`,
  },
  suggestions: {
    l33t: t`Avoid predictable letter substitutions like '@' for 'a'.`,
    reverseWords: t`Avoid reversed spellings of common words.`,
    allUppercase: t`Capitalize some, but not all letters.`,
    capitalization: t`Capitalize more than the first letter.`,
    dates: t`Avoid dates and years that are associated with you.`,
    recentYears: t`Avoid recent years.`,
    associatedYears: t`Avoid years that are associated with you.`,
    sequences: t`Avoid common character sequences.`,
    repeated: t`Avoid repeated words and characters.`,
    longerKeyboardPattern: t`Use longer keyboard patterns and change typing direction multiple times.`,
    anotherWord: t`Add more words that are less common.`,
    useWords: t`Use multiple words, but avoid common phrases.`,
    noNeed: t`You can create strong passwords without using symbols, numbers, or uppercase letters.`,
    pwned: t`If you use this password elsewhere, you should change it.`,
  },
} satisfies Pick<typeof translations, 'warnings' | 'suggestions'>
