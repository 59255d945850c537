import { useEffect, useMemo, useState } from 'react'
import { type ColumnMapping, core, type ModelColumn } from '~/core'
import type { OpenFile } from './useReader'

/** What columns of these names became in an earlier import. */
export type Remembered = {
  mapping: ColumnMapping[]
  importedAt: string
  isUsed: boolean
  /** Goes by it, or by the guesses instead. */
  use: (isUsed: boolean) => void
}

/** The mapping that a file with the same columns was last imported with, if there is one that says more than the guesses. */
export function useRemembered(opened: OpenFile | undefined): Remembered | undefined {
  const [found, setFound] = useState<{ of: string[]; mapping: ColumnMapping[]; importedAt: string }>()
  const [isUsed, use] = useState(true)
  const head = opened?.head
  useEffect(() => {
    if (!head) return
    let live = true
    core.rememberedMapping(head.fileColumns).then(
      ({ mapping, importedAt }) => {
        if (!live || !mapping || !importedAt) return
        const guess = (column: string) =>
          head.matches.find(match => match.fileColumn === column)?.modelColumn ?? ''
        const isNews = mapping.some(({ fileColumn, modelColumn }) => {
          const guessed = guess(fileColumn)
          return guessed !== '' && guessed !== modelColumn
        })
        setFound(isNews ? { of: head.fileColumns, mapping, importedAt } : undefined)
        use(true)
      },
      // Without an answer it goes by the guesses.
      () => undefined,
    )
    return () => {
      live = false
    }
  }, [head])
  return useMemo(() => {
    if (!found || found.of !== head?.fileColumns) return undefined
    return { mapping: found.mapping, importedAt: found.importedAt, isUsed, use }
  }, [found, head, isUsed])
}

/** What a column became then. */
export const rememberedFor = (remembered: Remembered | undefined, column: string) =>
  remembered?.isUsed
    ? (remembered.mapping.find(entry => entry.fileColumn === column)?.modelColumn as ModelColumn | undefined)
    : undefined
