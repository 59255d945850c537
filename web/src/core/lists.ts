/**
 * The wasm package `lists`: fields of lists, filters, views, and the rules that only some screens need. Pages that need
 * it load it after their first paint.
 */
import type * as Lists from '../wasm/lists/lists'

export type {
  Balance,
  ConditionInput,
  ListName,
  Margin,
  NextStep,
  Operand,
  Operator,
} from '../wasm/lists/lists'
export type ListsCore = typeof Lists

/** A field with its list: fields of the same name can have different words for a value in two lists. */
export type ListField = Lists.ListField & { list: Lists.ListName }

let loading: Promise<ListsCore> | undefined

/** The wasm package `lists`. Undefined until `loadLists` has resolved. */
export let lists: ListsCore | undefined

export function loadLists(): Promise<ListsCore> {
  loading ??= import('../wasm/lists/lists').then(
    module => {
      lists = module
      return module
    },
    error => {
      // So that the next call of `loadLists` tries again.
      loading = undefined
      throw error
    },
  )
  return loading
}
