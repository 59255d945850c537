import { useEffect, useMemo, useState } from 'react'
import { type ColumnMapping, core, type ModelColumn } from '~/core'
import type { OpenFile } from './useReader'

/** The mapping of an earlier import of the same columns. */
export type Remembered = {
  mapping: ColumnMapping[]
  importedAt: string
  isUsed: boolean
  /** Switches between this mapping and the detected one. */
  use: (isUsed: boolean) => void
}

/** Loads the last mapping for the same columns. Returns it if it differs from the detected one. */
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
      // After an error, the detected mapping is used.
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

/** Returns the field that a column had in the earlier import. */
export const rememberedFor = (remembered: Remembered | undefined, column: string) =>
  remembered?.isUsed
    ? (remembered.mapping.find(entry => entry.fileColumn === column)?.modelColumn as ModelColumn | undefined)
    : undefined
