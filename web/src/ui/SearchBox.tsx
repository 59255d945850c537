import { t } from '@lingui/core/macro'
import { Search, X } from 'lucide-react'
import {
  type FormEvent,
  type ReactNode,
  useContext,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import {
  createPath,
  UNSAFE_DataRouterContext as RouterContext,
  type To,
  useLocation,
  useNavigate,
} from 'react-router'
import { Button } from './Button'
import { cx } from './cx'
import { IconButton } from './IconButton'
import { KeyHint } from './Key'
import { useShortcut } from './shortcuts'

/** Milliseconds after the last key press before the search starts. */
const DELAY_MS = 300

type Props = {
  /** Accessible name and placeholder, for example "Search contacts". */
  label: string
  search: string
  to: (search: string) => To
  /** Waits for Enter or the search button, instead of searching while the user types. */
  hasButton?: boolean
  children?: ReactNode
  /** Further controls beside the search, such as the filter. */
  tools?: ReactNode
}

/** A list's search field. The search is part of the URL. */
export function SearchBox({ label, search, to, hasButton = false, children, tools }: Props) {
  const [text, setText] = useState(search)
  const input = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const keys = useShortcut('/', label, () => {
    input.current?.focus()
    input.current?.select()
  })
  const lastSearch = useRef(search)
  const latest = useRef(to)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // True if typing has made the current history entry. Then further typing replaces that entry, so that Back leads to
  // the list before the search.
  const isTyping = useRef(false)
  // Takes over a search that this box didn't make: by Back, or by a link that clears the search.
  useEffect(() => {
    if (search === lastSearch.current) return
    lastSearch.current = search
    clearTimeout(timer.current)
    isTyping.current = false
    setText(search)
  }, [search])
  useLayoutEffect(() => {
    latest.current = to
  })
  useEffect(() => () => clearTimeout(timer.current), [])
  const location = useLocation()
  const { pathname } = location
  const router = useContext(RouterContext)?.router
  // Whether the user is on the way to another page, which may render late on a slow phone. A search would cancel that.
  const isLeaving = () => {
    const to = router?.state.navigation.location ?? router?.state.location
    return to !== undefined && to.pathname !== pathname
  }
  const navigateTo = (trimmed: string, replace = false) => {
    lastSearch.current = trimmed
    return navigate(latest.current(trimmed), { replace })
  }
  const type = (typed: string) => {
    setText(typed)
    if (hasButton) return
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      const trimmed = typed.trim()
      if (trimmed === lastSearch.current || isLeaving()) return
      void navigateTo(trimmed, isTyping.current)
      isTyping.current = true
    }, DELAY_MS)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const trimmed = text.trim()
    clearTimeout(timer.current)
    if (hasButton) setText(trimmed)
    // Searching for the same again only reloads the list.
    const isSame = latest.current(trimmed) === createPath(location)
    if (hasButton || trimmed !== lastSearch.current) void navigateTo(trimmed, isTyping.current || isSame)
  }
  return (
    <search className="flex flex-wrap gap-2 border-b border-line p-3 md:p-4 print:hidden">
      <form
        onSubmit={submit}
        className={cx('flex min-w-0 flex-1 basis-44 gap-2', !hasButton && 'max-sm:flex-col')}
      >
        <div className="relative min-w-0 flex-1 lg:max-w-md">
          <Search
            aria-hidden
            className={cx(
              'pointer-events-none absolute top-1/2 left-3 size-4 -translate-y-1/2 text-muted',
              hasButton && 'max-md:hidden',
            )}
          />
          <input
            ref={input}
            type="search"
            enterKeyHint="search"
            autoComplete="off"
            aria-label={label}
            aria-keyshortcuts={keys}
            placeholder={label}
            value={text}
            onChange={event => type(event.target.value)}
            onBlur={() => {
              isTyping.current = false
            }}
            className={cx(
              hasButton ? 'pl-3 md:pl-9' : 'pl-9',
              'peer box text-ellipsis max-sm:placeholder:text-sm md:pr-9 not-placeholder-shown:pr-9 max-md:not-placeholder-shown:pr-12 [&::-webkit-search-cancel-button]:hidden',
            )}
          />
          {keys && !text && (
            <KeyHint
              keys="/"
              className="pointer-events-none absolute inset-y-0 right-2.5 my-auto text-muted peer-focus:hidden"
            />
          )}
          {text && (
            <IconButton
              label={t`Clear search`}
              icon={<X aria-hidden className="size-4" />}
              className="absolute inset-y-0 right-1 my-auto size-8! max-md:right-0 max-md:size-touch!"
              onClick={() => {
                clearTimeout(timer.current)
                isTyping.current = false
                setText('')
                input.current?.focus()
                if (search) void navigateTo('')
              }}
            />
          )}
        </div>
        {hasButton && (
          <Button type="submit" className="max-md:px-3.5!">
            <Search aria-hidden className="size-4.5 md:hidden" />
            <span className="max-md:sr-only">{t`Search`}</span>
          </Button>
        )}
        {children}
      </form>
      {tools}
    </search>
  )
}
