import { type ApiRequest, type ApiResponse, errorResponse, network } from './network'

/** Returns the page of these records that a request asks for, and how many records and pages there are. */
export function paginate<R>(all: R[], { query }: ApiRequest) {
  const [page, limit] = [Number(query.get('page')), Number(query.get('limit'))]
  return {
    data: all.slice((page - 1) * limit, page * limit),
    totalItems: all.length,
    totalPages: Math.ceil(all.length / limit),
  }
}

/** Returns the response to a request for a list, with all records on one page. */
export const listOf = <R>(data: R[]) => ({
  body: { success: true, data, totalItems: data.length, totalPages: 1 },
})

type Settings<R> = {
  idOf: (record: R) => string
  /** Returns the record that a form creates; by default none can be created. */
  create?: (form: Partial<R>) => R
  /** Returns a record that a form has changed, by default with all values of the form. */
  update?: (record: R, form: Partial<R>) => R
  /** Returns the response to a request for the list, by default `listOf`. */
  pageOf?: (all: R[], call: ApiRequest) => ApiResponse
}

/**
 * Makes the fake server respond with `server.records`, which a test can replace, as the records of the list at this path.
 * It remembers what requests create, update and delete. Only the records in `all`, and created ones, can be requested one
 * by one.
 */
export function serveRecords<R extends { version: number }>(
  path: string,
  all: R[],
  { idOf, create, update = (record, form) => ({ ...record, ...form }), pageOf = listOf }: Settings<R>,
) {
  const server = { records: all }
  const answer = (data: R | undefined, status = 200) =>
    data ? { status, body: { success: true, message: '', data } } : errorResponse(404, 'Not found.')
  const serve = (id: string) => {
    const find = () => server.records.find(one => idOf(one) === id)
    network.on(`GET ${path}/${id}`, () => answer(find()))
    network.on(`PUT ${path}/${id}`, ({ body }) => {
      server.records = server.records.map(one =>
        idOf(one) === id ? { ...update(one, body as Partial<R>), version: one.version + 1 } : one,
      )
      return answer(find())
    })
    network.on(`DELETE ${path}/${id}`, () => {
      server.records = server.records.filter(one => idOf(one) !== id)
      return { body: { success: true, message: '' } }
    })
  }
  for (const one of all) serve(idOf(one))
  network.on(`GET ${path}`, call => pageOf(server.records, call))
  if (create) {
    network.on(`POST ${path}`, ({ body }) => {
      const made = create(body as Partial<R>)
      server.records = [made, ...server.records]
      serve(idOf(made))
      return answer(made, 201)
    })
  }
  return server
}

/** Returns a function that returns the bodies of the requests so far that created or updated records of a list. */
export const savedBodiesOf =
  <B>(list: string) =>
  (method: 'POST' | 'PUT', path = list) =>
    network.requests(path).flatMap(call => (call.method === method ? [call.body as B] : []))
