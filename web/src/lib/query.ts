export type ListQuery = { page: number; search: string }

/** Parses the query of a list's URL. An invalid page number becomes 1. */
export function readQuery(params: URLSearchParams): ListQuery {
  const page = Number(params.get('page') ?? 1)
  return {
    page: Number.isSafeInteger(page) && page >= 1 && page <= 0xffff_ffff ? page : 1,
    search: (params.get('search') ?? '').trim(),
  }
}

/** Returns the URL of a list. Page 1 and empty parameters are left out. */
export function listAddress(
  list: string,
  { page, search }: ListQuery,
  narrowed: Record<string, string> = {},
): string {
  const params = new URLSearchParams()
  if (page > 1) params.set('page', String(page))
  for (const [name, value] of Object.entries({ search, ...narrowed })) {
    if (value) params.set(name, value)
  }
  return params.size > 0 ? `${list}?${params}` : list
}
