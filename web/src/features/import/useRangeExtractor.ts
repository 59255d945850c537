import { defaultRangeExtractor, type Range } from '@tanstack/react-virtual'
import { useCallback } from 'react'

/**
 * Returns the range extractor of a virtualized list in which the row with this index stays rendered when it is scrolled
 * out of view.
 */
export const useRangeExtractor = (index: number | undefined) =>
  useCallback(
    (range: Range) => {
      const inSight = defaultRangeExtractor(range)
      if (index === undefined || inSight.includes(index)) return inSight
      return [...inSight, index].sort((a, b) => a - b)
    },
    [index],
  )
