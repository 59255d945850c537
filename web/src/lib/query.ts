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

/** The address of a list, and of what else narrows it; the first page and whatever is empty leave no trace in it. */
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
