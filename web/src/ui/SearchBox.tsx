import { Search, X } from 'lucide-react'
import { type FormEvent, useEffect, useRef, useState } from 'react'
import { type To, useNavigate } from 'react-router'
import { Button } from './Button'
import { IconButton } from './IconButton'
import { useSlashFocus } from './useSlashFocus'

type Props = {
  /** What can be looked for, such as "Search contacts". */
  label: string
  /** What the address looks for now. */
  search: string
  /** The address that looks for something. */
  to: (search: string) => To
}

/** Looks for rows of a list. What is looked for goes into the address. */
export function SearchBox({ label, search, to }: Props) {
  const [text, setText] = useState(search)
  const input = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  useSlashFocus(input)
  // The address may change without this box: by the back button, or a link that clears the search.
  useEffect(() => setText(search), [search])
  const look = (wanted: string) => navigate(to(wanted.trim()))
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
            aria-label={label}
            aria-keyshortcuts="/"
            placeholder={label}
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
                if (search) void look('')
              }}
            />
          )}
        </div>
        <Button type="submit">Search</Button>
      </form>
    </search>
  )
}
