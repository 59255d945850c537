/** Which rows a list shows; it lives in the address. */
export type ListQuery = { page: number; search: string }

/** Reads an address; what is no page is the first. */
export function readQuery(params: URLSearchParams): ListQuery {
  const page = Number(params.get('page') ?? 1)
  return {
    page: Number.isSafeInteger(page) && page >= 1 && page <= 0xffff_ffff ? page : 1,
    search: (params.get('search') ?? '').trim(),
  }
}

/** The address of a list; the first page and an empty search leave no trace in it. */
export function listAddress(list: string, { page, search }: ListQuery): string {
  const params = new URLSearchParams()
  if (page > 1) params.set('page', String(page))
  if (search) params.set('search', search)
  return params.size > 0 ? `${list}?${params}` : list
}
