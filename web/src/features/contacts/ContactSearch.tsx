import { Search, X } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useSlashFocus } from '~/lib/keys'
import { Button } from '~/ui/Button'
import { IconButton } from '~/ui/IconButton'
import { type ListQuery, listAddress } from './query'

/** Looks for contacts; what is looked for goes into the address, and the list begins at its first page. */
export function ContactSearch({ query }: { query: ListQuery }) {
  const [text, setText] = useState(query.search)
  const input = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  useSlashFocus(input)
  // The address may change without this box: by the back button, or a link that clears the search.
  useEffect(() => setText(query.search), [query.search])
  const look = (search: string) => navigate(listAddress({ page: 1, search: search.trim() }))
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void look(text)
  }
  return (
    <search className="block border-b border-line p-3 md:p-4 print:hidden">
      <form onSubmit={submit} className="flex gap-2">
        <div className="relative min-w-0 flex-1 md:max-w-md">
          <Search
            aria-hidden
            className="pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted"
          />
          <input
            ref={input}
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            aria-label="Search contacts"
            aria-keyshortcuts="/"
            placeholder="Search contacts"
            value={text}
            onChange={event => setText(event.target.value)}
            className="box px-9 [&::-webkit-search-cancel-button]:hidden"
          />
          {text && (
            <IconButton
              label="Clear search"
              icon={<X aria-hidden className="size-4" />}
              className="absolute inset-y-0 right-1 my-auto size-8! max-md:size-9!"
              onClick={() => {
                setText('')
                input.current?.focus()
                if (query.search) void look('')
              }}
            />
          )}
        </div>
        <Button type="submit">Search</Button>
      </form>
    </search>
  )
}
