// The first page loads this module and each feature's `kind.ts`, because routes need them. Keep them small.

import { type Core, core, type Records, type ResourceId } from '~/core'
import {
  type ListPage,
  type ListQuery,
  type ListRoute,
  listAddress,
  parametersOf,
  readQuery,
} from '~/lib/query'

/** A record that a search has found. */
export type Hit = { id: string; title: string; note: string; to: string }

/** The nouns for a kind of record in sentences, in lower case. */
export type Words = {
  one: string
  many: string
  /** The noun for a certain record, as in "this vehicle". Swedish has a form of its own for it: "fordonet". */
  definite: string
  /** Replaces `definite` before a record's name if that isn't the record's own, as in "invoice for". */
  named?: string
}

/** The messages of failed requests that differ from the general ones. */
type Failures = { create?: string; update?: string; remove?: string; load?: string }

/** A kind of record. Each feature with records exports one from its `kind.ts`. */
export type Kind = {
  resource: ResourceId
  /** The name of the list, and the path of its page. */
  title: string
  route: string
  icon: string
  words: Words
  /** The title of the palette's action that creates a record, and further words by which it is found. */
  create: { title: string; also: string }
  /** Searches the records on the server, like the list page. Undefined if they can't be searched. */
  find?: (text: string, signal: AbortSignal) => Promise<{ found: Hit[]; total: number }>
  /** Returns the path of a record's page. Without `hasPage`, there is no such page. */
  pathOf?: (id: string) => string
  hasPage?: boolean
  /** The names of the values of choice fields, one object per field, unless `lib/words.ts` has them. */
  choiceNames?: Record<string, string>[]
}

/** The records of a list, as the list shows them. */
export type Listed<L extends keyof Records> = [Records[L]['page']] extends [never]
  ? Records[L]['saved']
  : Records[L]['page'] extends { data: (infer R)[] }
    ? R
    : never

/** A record as its page shows it. Each is also one of those that its list shows. */
export type Shown<L extends keyof Records, R> = R & Records[L]['shown']

/** What a list's request asks for. `Q` is the query of the list's URL. */
type Request<Q> = Partial<Q> & { page: number; limit: number }

type Common<L, R> = {
  resource: L
  icon: string
  words: Words
  create: Kind['create']
  choiceNames?: Kind['choiceNames']
  idOf: (record: R) => string
  /** Returns the name of a record, as shown to users. */
  nameOf: (record: R) => string
  /** Returns what distinguishes a record from others with its name, in the dialog that deletes it. */
  detailOf?: (record: R) => string
  failures?: Failures
  /** The messages of failed requests name what has failed before they give the server's reason. */
  shouldNameFailure?: boolean
}

type Declaration<L, P extends string, Q extends ListQuery, R> = Common<L, R> & {
  /** Returns the text beside a search result. */
  noteOf: (record: R) => string
  /** Returns the URL that a search result opens, if the records have no page of their own. */
  linkOf?: (record: R) => string
  /** The parameters that only this list's URL has. The API's parameters have the same names. */
  parameters?: readonly P[]
  /** Returns the storage key of the draft of a record's form, if the default doesn't suffice. */
  draftOf?: (id?: string) => string
  /** Reads the query of the list's URL, and returns the URL of a query, if `parameters` don't suffice. */
  read?: (params: URLSearchParams) => Q
  address?: (query: Q) => string
  /** Requests a page of the list, if `listRecords` doesn't suffice. */
  list?: (core: Core, request: Request<Q>, signal?: AbortSignal) => Promise<ListPage<R>>
}

/** A kind of record that has a list: its requests, its URLs and its words. */
export type RecordKind<L extends keyof Records, Q extends ListQuery, R = Listed<L>> = Common<L, R> &
  Required<Omit<Kind, 'choiceNames'>> & {
    resource: L
    /** Returns the storage key of the draft of a record's form; without an id, that of a new record. */
    draftOf: (id?: string) => string
    read: (params: URLSearchParams) => Q
    address: (query: Q) => string
    sortAfter?: ListRoute<Q>['sortAfter']
    list: (core: Core, query: Q) => Promise<ListPage<R>>
  }

/** Maximum number of results per kind of record. All results are on the list page. */
const MAX_RESULTS = 5

/** Returns a noun as it is written alone, such as on a title. */
export const capitalize = (noun: string) => noun.charAt(0).toUpperCase() + noun.slice(1)

/** Completes the declaration of a kind of record: adds its title, paths, list requests and search. */
export function recordKind<
  L extends keyof Records,
  P extends string = never,
  Q extends ListQuery = ListQuery & Record<P, string>,
  R = Listed<L>,
>(declaration: Declaration<L, P, Q, R>): RecordKind<L, Q, R> {
  const { resource, words, idOf, nameOf, noteOf, linkOf, parameters = [] } = declaration
  const route = `/dashboard/${resource}`
  const pathOf = (id: string) => `${route}/${encodeURIComponent(id)}`
  const {
    list = (core, request, signal) =>
      core.listRecords(resource, request as never, signal) as Promise<unknown> as Promise<ListPage<R>>,
    // The resource without its last letter: drafts outlive an update of the app, and have always had such keys.
    draftOf = (id = '') => `${resource.slice(0, -1)} ${id}`,
    read = params => {
      const own = parameters.map(name => [name, (params.get(name) ?? '').trim()])
      return { ...readQuery(params), ...Object.fromEntries(own) } as Q
    },
    address = query => {
      const own = parameters.map(name => [name, (query as Record<string, unknown>)[name]])
      return listAddress(route, query, Object.fromEntries(own))
    },
  } = declaration
  return {
    ...declaration,
    title: capitalize(words.many),
    route,
    draftOf,
    read,
    address,
    list: (core, query) =>
      list(core, { ...parametersOf(query), limit: core.recordPageSize(resource) } as Request<Q>),
    pathOf,
    hasPage: linkOf === undefined,
    async find(search, signal) {
      const request = { page: 1, limit: MAX_RESULTS, search } as Request<Q>
      const { data, totalItems } = await list(core, request, signal)
      const hitOf = (record: R): Hit => ({
        id: idOf(record),
        title: nameOf(record),
        note: noteOf(record),
        to: linkOf?.(record) ?? pathOf(idOf(record)),
      })
      return { found: data.map(hitOf), total: totalItems }
    },
  }
}
