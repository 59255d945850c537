import { afterAll, beforeAll, expect, test } from 'vitest'
import { core, type FileHead, type Verdict } from '~/core'
import { type Reader, startReader } from '~/features/import/reader'
import verdicts from '../../../core/tests/verdicts.json'

type EnglishHead = ReturnType<typeof english>

/** Returns a file's head as the server's API has it: with English texts as messages, and without what it skips. */
const english = ({ fileWidth: _, previewRows: __, ...head }: FileHead) => ({
  ...head,
  notices: head.notices.map(({ text }) => text),
  matches: head.matches.map(match => ({ ...match, reason: match.reason.text })),
})

/** The stored result for a sample file, which the same Rust code has computed outside of a browser. */
type Line = {
  head?: EnglishHead
  verdict?: Verdict
  kinds?: { column?: number; count: number; message: string }[]
  problems?: { row: number; column?: number; value: string; message: string }[]
  refused?: string
}

const samples = import.meta.glob<string>('../../../core/tests/files/*.{csv,xlsx,xls,xlsb,ods}', {
  query: '?url',
  import: 'default',
  eager: true,
})
const lines = Object.entries(verdicts as Record<string, Line>)

let reader: Reader
beforeAll(() => {
  reader = startReader(() => undefined)
})
afterAll(() => reader.close())

const columnOf = (column: number) => (column < 0 ? {} : { column })

/** Returns the worker's result for a file, with the detected mapping. */
async function outcome(file: File): Promise<Line> {
  const opened = await reader.open(file, {})
  if (!('head' in opened)) return { refused: 'refused' in opened ? opened.refused.text : opened.lost }
  let { head } = opened
  const mapping = head.matches.map(({ fileColumn, modelColumn }) => ({ fileColumn, modelColumn }))
  const [wrong] = core.checkMapping(head.fileColumns, mapping)
  if (wrong) return { head: english(head), refused: wrong.message.text }
  const corrections = { cells: [], replacements: [], leftOut: [], duplicates: 'import' as const }
  let checked = await reader.check(1, mapping, corrections)
  if ('reread' in checked) {
    head = checked.reread
    checked = await reader.check(2, mapping, corrections)
  }
  if ('refused' in checked) return { refused: checked.refused.text }
  if (!('result' in checked)) throw new Error(JSON.stringify(checked))
  const { run, kinds, verdict } = checked.result
  const problems = (await reader.problems(run, -1, 0, 50)) ?? []
  return {
    head: english(head),
    verdict,
    kinds: kinds.top.map(({ column, count, message }) => ({
      ...columnOf(column),
      count,
      message: message.text,
    })),
    problems: problems.map(({ row, column, value, message }) => ({
      row,
      ...columnOf(column),
      value,
      message: message.text,
    })),
  }
}

/** Returns the stored result with only those kinds of problems that the worker returns: the 12 most frequent ones. */
function withTopKinds(line: Line): Line {
  if (!line.kinds) return line
  return { ...line, kinds: [...line.kinds].sort((a, b) => b.count - a.count).slice(0, 12) }
}

test('more than 15 stored results of sample files were found', () => {
  expect(lines.length).toBeGreaterThan(15)
})

test('a check that replaces another one counts no row twice', async () => {
  // Large enough for several steps, because a check can only be replaced between two steps.
  const rows = Array.from({ length: 60_000 }, (_, row) => `Person ${row}`.padEnd(190, '.'))
  const opened = await reader.open(new File([['Name', ...rows].join('\n')], 'long.csv'), {})
  expect(opened).toHaveProperty('head')
  const mapping = [{ fileColumn: 'Name', modelColumn: 'name' as const }]
  const corrections = { cells: [], replacements: [], leftOut: [], duplicates: 'import' as const }
  const checks = [1, 2, 3, 4].map(run => reader.check(run, mapping, corrections))
  const outcomes = await Promise.all(checks)
  expect(outcomes.slice(0, 3)).toEqual(Array(3).fill({ superseded: true }))
  expect(outcomes[3]).toMatchObject({ result: { verdict: { total: 60_000, ready: 60_000 } } })
})

for (const [name, line] of lines) {
  test(`${name} has the same result in the browser as on the server`, async () => {
    const address = samples[`../../../core/tests/files/${name}`]
    if (!address) throw new Error('This sample is missing')
    const file = new File([await (await fetch(address)).arrayBuffer()], name)
    if (reader.isOver()) reader = startReader(() => undefined)
    expect(await outcome(file)).toEqual(withTopKinds(line))
  })
}
