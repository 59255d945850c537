import { useMemo } from 'react'
import type { ListName } from '~/core/lists'
import { useFields } from '../useFields'
import type { Records } from '../useRecords'
import { readConditions, writeConditions } from './conditions'
import type { FilterProps } from './FilterBar'

/** Returns the state of a list's filter. Its conditions are on the fields of `list`. */
export function useFilter(
  list: ListName,
  { query, arrange }: Pick<Records<unknown>, 'query' | 'arrange'>,
): FilterProps {
  const { fields, isFailed, retry } = useFields(list)
  const conditions = useMemo(() => readConditions(query.filter), [query.filter])
  return {
    fields,
    isFailed,
    onRetry: retry,
    conditions,
    onChange: conditions => arrange({ filter: writeConditions(conditions) }),
  }
}
