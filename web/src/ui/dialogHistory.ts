import { useEffect, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { type createBrowserRouter, useLocation } from 'react-router'

/*
 * Each open dialog has a history entry of its own above the router's entry, so Back closes the dialog instead of
 * leaving the page. The router never sees these entries: they copy its state and add their depth, so opening a dialog
 * loads no data and changes no URL.
 */

type Router = ReturnType<typeof createBrowserRouter>
type Dialog = { close: () => void }

/** A history entry: the router's key of its page, and the number of dialogs that are open at it. */
type Entry = { key: string; depth: number }

/** A pending `history.go`, which the browser completes asynchronously. */
type Traversal = { depth: number; ended: Promise<void>; end: () => void }

/** Maximum time a navigation waits for the browser to leave the dialogs' entries. */
const TIMEOUT_MS = 1000

let router: Router | undefined
/** The open dialogs, topmost last. */
let dialogs: readonly Dialog[] = []
let shown: Entry = { key: '', depth: 0 }
let traversal: Traversal | undefined
/** Number of navigations in progress. Each removes every dialog's entry. */
let navigations = 0

const entryOf = (state: { key?: string; dialogs?: number } | null): Entry => ({
  // The router calls the first entry "default" and writes no key into it.
  key: state?.key ?? 'default',
  depth: state?.dialogs ?? 0,
})

/** Moves to this page's history entry with `depth` dialogs. */
function traverse(depth: number): Promise<void> {
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    const timer = setTimeout(() => end(), TIMEOUT_MS)
    end = () => {
      clearTimeout(timer)
      if (traversal?.end === end) traversal = undefined
      resolve()
    }
  })
  traversal = { depth, ended, end }
  history.go(depth - entryOf(history.state).depth)
  return ended
}

/** Adds missing history entries for open dialogs and removes those of closed dialogs. */
function settle() {
  if (!router || traversal || navigations > 0 || router.state.navigation.state !== 'idle') return
  shown = entryOf(history.state)
  // The browser is ahead of the router: a navigation is in progress, or a blocked one is about to be undone.
  if (shown.key !== router.state.location.key) return
  if (shown.depth > dialogs.length) {
    void traverse(dialogs.length).then(settle)
    return
  }
  while (shown.depth < dialogs.length) {
    history.pushState({ ...history.state, dialogs: shown.depth + 1 }, '')
    shown = entryOf(history.state)
  }
}

/** Deferred to a microtask, so that all effects of this render have run: one dialog may replace another. */
const settleSoon = () => queueMicrotask(settle)

function onPop(event: PopStateEvent) {
  const before = shown
  shown = entryOf(event.state)
  if (shown.key !== before.key || shown.depth === before.depth) {
    // This entry belongs to the router: another page, a blocked navigation that was undone, or another hash.
    traversal?.end()
    settleSoon()
    return
  }
  event.stopImmediatePropagation()
  if (traversal) {
    if (shown.depth === traversal.depth) traversal.end()
    return
  }
  // Back closes one dialog, however far it went. Forward reopens none.
  if (shown.depth < dialogs.length) flushSync(() => dialogs.at(-1)?.close())
  settle()
}

/**
 * Runs `work` at the page's own history entry. A navigation that started at a dialog's entry would leave that entry
 * behind. Runs it synchronously when no dialog has an entry.
 */
export function fromPageEntry<T>(work: () => T | Promise<T>): T | Promise<T> {
  return traversal || entryOf(history.state).depth > 0 ? afterTraversal(work) : work()
}

async function afterTraversal<T>(work: () => T | Promise<T>): Promise<T> {
  navigations += 1
  try {
    await traversal?.ended
    if (entryOf(history.state).depth > 0) await traverse(0)
    return await work()
  } finally {
    navigations -= 1
  }
}

/**
 * Creates the router and makes every dialog a history entry from now on. Every navigation starts at the page's own
 * entry.
 */
export function withDialogHistory(make: () => Router): Router {
  // Registered before the router's own listener, which would reload the page. Listeners run in registration order.
  addEventListener('popstate', onPop)
  const made = make()
  router = made
  const { navigate } = made
  made.navigate = (async (...to: Parameters<typeof navigate>) => {
    const { key } = made.state.location
    await fromPageEntry(() => navigate(...to))
    // The navigation was blocked, so the dialogs need their entries again. After a completed navigation, dialogs that
    // are still open add their entries themselves.
    if (made.state.location.key === key) settleSoon()
  }) as typeof navigate
  made.subscribe(() => {
    shown = entryOf(history.state)
    if (dialogs.length < shown.depth) settleSoon()
  })
  settle()
  return made
}

/** Gives a dialog a history entry while it is open. Back calls `close`, which may refuse. */
export function useHistoryEntry(open: boolean, close: () => void) {
  const { key } = useLocation()
  const latest = useRef(close)
  useLayoutEffect(() => {
    latest.current = close
  })
  useLayoutEffect(() => {
    if (!open) return
    const dialog = { close: () => latest.current() }
    dialogs = [...dialogs, dialog]
    settleSoon()
    return () => {
      dialogs = dialogs.filter(other => other !== dialog)
      settleSoon()
    }
  }, [open])
  // A navigation removed the entry of this dialog, which is still open.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` triggers the effect after each navigation.
  useEffect(() => {
    if (open) settleSoon()
  }, [open, key])
}
