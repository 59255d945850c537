import type { ExtractorType } from '@lingui/conf'

/** A string as Rust writes it: a backslash at the end of a line joins it to the next. */
const STRING = /"((?:[^"\\]|\\[\s\S])*)"/g

const unescaped = (text: string) => text.replace(/\\\n\s*/g, '').replace(/\\(["\\])/g, '$1')

/** The strings in a piece of Rust. */
export const stringsOf = (code: string): string[] =>
  [...code.replaceAll(`'"'`, '').matchAll(STRING)].map(([, text = '']) => unescaped(text))

/** A file of Rust without its tests and comments. */
export const withoutTests = (code: string) =>
  (code.split('#[cfg(test)]\nmod tests')[0] ?? '').replace(/^\s*\/\/.*$/gm, '')

/** The sentences that stand for themselves; those with values in them are `templates.txt`. */
const constants = (code: string) =>
  [...code.matchAll(/\bconst [A-Z_]+: &str =\s*("(?:[^"\\]|\\[\s\S])*");/g)].flatMap(([, text = '']) =>
    stringsOf(text),
  )

const capture = (pattern: RegExp) => (code: string) =>
  [...code.matchAll(pattern)].flatMap(([, text = '']) => stringsOf(text))

/** Where core has words that people are shown, and how they are found in it. */
const places: [file: RegExp, read: (code: string) => string[]][] = [
  [/\/text\.rs$/, constants],
  [
    /\/import\/text\.rs$/,
    code => stringsOf(code.slice(code.indexOf('fn label('), code.indexOf('const MAP_NAME'))),
  ],
  [/\/permissions\/catalogue\.rs$/, capture(/(?:title|description): ("[^"]*")/g)],
  [/\/theme\/types\.rs$/, capture(/name: ("[^"]*")/g)],
  [/\/permissions\/types\.rs$/, capture(/UserType::\w+ => ("[^"]*")/g)],
  [
    /\/customers\/types\.rs$/,
    code =>
      [...code.matchAll(/^string_enum! \{([\s\S]*?)^\}/gm)]
        .flatMap(([, block = '']) => block.slice(block.indexOf('{')).match(/\b[A-Z][a-z]+\b/g) ?? [])
        .map(word => word),
  ],
  [/\/import\/encoding\.rs$/, capture(/\(\w+, "[^"]*", ("[^"]*")\)/g)],
  [
    /\/import\/(?:recognise|xlsx\/package|xlsx\/mod|fallback\/(?:mod|parts))\.rs$/,
    code => stringsOf(code).filter(text => /^an? [\w.]/i.test(text)),
  ],
]

const isTemplates = (file: string) => file.endsWith('templates.txt')
const isAdvice = (file: string) => file.includes('@zxcvbn-ts')

/** What core, the server and the judge of passwords say, which is English: the sentence itself is its id. */
export function sentencesIn(file: string, code: string): string[] {
  if (isTemplates(file)) return code.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  if (isAdvice(file)) {
    const advice = code.slice(0, code.indexOf('timeEstimation'))
    return [...advice.matchAll(/: (?:'([^']*)'|"([^"]*)")/g)].map(([, one, other]) => one ?? other ?? '')
  }
  const told = withoutTests(code)
  const found = places.flatMap(([name, read]) => (name.test(file) ? read(told) : []))
  return [...new Set(found)]
}

export const sentences: ExtractorType = {
  match: file => file.endsWith('.rs') || isTemplates(file) || isAdvice(file),
  extract(file, code, tell) {
    for (const id of sentencesIn(file, code)) tell({ id, origin: [file, 0] })
  },
}
