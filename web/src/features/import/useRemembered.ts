import { useEffect, useMemo, useState } from 'react'
import { type ColumnMapping, core, type ModelColumn } from '~/core'
import type { OpenFile } from './useReader'

/** The mapping that an earlier import of a file with the same columns has used. */
export type Remembered = {
  mapping: ColumnMapping[]
  importedAt: string
  isUsed: boolean
  /** Switches between this mapping (true) and the detected one (false). */
  use: (isUsed: boolean) => void
}

/** Loads the last mapping of the same columns. Undefined if there is none, or if it doesn't change a detected field. */
export function useRemembered(opened: OpenFile | undefined): Remembered | undefined {
  const [found, setFound] = useState<{ of: string[]; mapping: ColumnMapping[]; importedAt: string }>()
  const [isUsed, use] = useState(true)
  const head = opened?.head
  useEffect(() => {
    if (!head) return
    let isMounted = true
    core.rememberedMapping(head.fileColumns).then(
      ({ mapping, importedAt }) => {
        if (!isMounted || !mapping || !importedAt) return
        const guess = (column: string) =>
          head.matches.find(match => match.fileColumn === column)?.modelColumn ?? ''
        const isDifferent = mapping.some(({ fileColumn, modelColumn }) => {
          const guessed = guess(fileColumn)
          return guessed !== '' && guessed !== modelColumn
        })
        setFound(isDifferent ? { of: head.fileColumns, mapping, importedAt } : undefined)
        use(true)
      },
      // Ignored, because then the detected mapping is used.
      () => undefined,
    )
    return () => {
      isMounted = false
    }
  }, [head])
  return useMemo(() => {
    if (!found || found.of !== head?.fileColumns) return undefined
    return { mapping: found.mapping, importedAt: found.importedAt, isUsed, use }
  }, [found, head, isUsed])
}

/** Returns the field of a column in the earlier import's mapping; undefined if that mapping isn't used. */
export const rememberedFor = (remembered: Remembered | undefined, column: string) =>
  remembered?.isUsed
    ? (remembered.mapping.find(entry => entry.fileColumn === column)?.modelColumn as ModelColumn | undefined)
    : undefined
