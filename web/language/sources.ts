import type { ExtractorType } from '@lingui/conf'

/** A Rust string literal. A backslash at the end of a line joins it to the next. */
const STRING = /"((?:[^"\\]|\\[\s\S])*)"/g

const unescaped = (text: string) => text.replace(/\\\n\s*/g, '').replace(/\\(["\\])/g, '$1')

/** Returns the string literals in Rust code. */
export const stringsOf = (code: string): string[] =>
  [...code.replaceAll(`'"'`, '').matchAll(STRING)].map(([, text = '']) => unescaped(text))

/** Returns Rust code without its tests and comments. */
export const withoutTests = (code: string) =>
  (code.split('#[cfg(test)]\nmod tests')[0] ?? '').replace(/^\s*\/\/.*$/gm, '')

/** Returns the constant messages. Messages with values are in `templates.txt`. */
const constants = (code: string) =>
  [...code.matchAll(/\bconst [A-Z_]+: &str =\s*("(?:[^"\\]|\\[\s\S])*");/g)].flatMap(([, text = '']) =>
    stringsOf(text),
  )

const capture = (pattern: RegExp) => (code: string) =>
  [...code.matchAll(pattern)].flatMap(([, text = '']) => stringsOf(text))

/** Where core's user-facing texts are, and how to extract them. */
const places: [file: RegExp, read: (code: string) => string[]][] = [
  [/\/text(?:\/mod)?\.rs$/, constants],
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
    /\/import\/(?:recognise\/mod|xlsx\/package|xlsx\/mod|fallback\/(?:mod|parts))\.rs$/,
    code => stringsOf(code).filter(text => /^an? [\w.]/i.test(text)),
  ],
]

const isTemplates = (file: string) => file.endsWith('templates.txt')
const isAdvice = (file: string) => file.includes('@zxcvbn-ts')

/** Returns the messages of core, the server and the password estimator. The English message is its own id. */
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
