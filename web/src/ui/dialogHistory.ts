import { useEffect, useLayoutEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { type createBrowserRouter, useLocation } from 'react-router'

/*
 * Each open dialog has a history entry of its own above the router's entry, so that Back closes the dialog and not the
 * page. The router never sees these entries: they copy its state and add their depth. That way a dialog loads no data
 * and changes no address.
 */

type Router = ReturnType<typeof createBrowserRouter>
type Dialog = { close: () => void }

/** A history entry: the router's key for it, and how many dialogs it stands for. */
type Entry = { key: string; depth: number }

/** A change of depth that was asked of the browser, which makes it later. */
type Traversal = { depth: number; ended: Promise<void>; end: () => void }

/** The longest that a navigation waits for the browser to leave the dialogs' entries. */
const PATIENCE_MS = 1000

let router: Router | undefined
/** The open dialogs, the topmost last. */
let dialogs: readonly Dialog[] = []
let shown: Entry = { key: '', depth: 0 }
let traversal: Traversal | undefined
/** Navigations that have begun and not ended: they remove every dialog's entry. */
let navigations = 0

const entryOf = (state: { key?: string; dialogs?: number } | null): Entry => ({
  // The router calls the first entry "default" and writes no key into it.
  key: state?.key ?? 'default',
  depth: state?.dialogs ?? 0,
})

/** Moves to the entry with this many dialogs, of those that belong to the page. */
function traverse(depth: number): Promise<void> {
  let end = () => {}
  const ended = new Promise<void>(resolve => {
    const timer = setTimeout(() => end(), PATIENCE_MS)
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

/** Gives each open dialog its entry, and removes the entries of closed ones. */
function settle() {
  if (!router || traversal || navigations > 0 || router.state.navigation.state !== 'idle') return
  shown = entryOf(history.state)
  // The browser is ahead of the router, which is on its way to another page or about to bounce back to this one.
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

/** Later in the same task, once every effect of this drawing has run: one dialog may take the place of another. */
const settleSoon = () => queueMicrotask(settle)

function onPop(event: PopStateEvent) {
  const before = shown
  shown = entryOf(event.state)
  if (shown.key !== before.key || shown.depth === before.depth) {
    // The router's: another page, back from one that it did not leave, or another hash.
    traversal?.end()
    settleSoon()
    return
  }
  event.stopImmediatePropagation()
  if (traversal) {
    if (shown.depth === traversal.depth) traversal.end()
    return
  }
  // Back closes one dialog, however far it went; Forward opens none again.
  if (shown.depth < dialogs.length) flushSync(() => dialogs.at(-1)?.close())
  settle()
}

/**
 * Does this at the page's own entry: a navigation that began at a dialog's would leave that entry behind. It is done at
 * once where no dialog has one.
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

/** Makes a router, whose every navigation starts at the page's entry, and every dialog a history entry from now on. */
export function withDialogHistory(make: () => Router): Router {
  // Before the router's own listener, which would load the page anew: a window calls its listeners in their order.
  addEventListener('popstate', onPop)
  const made = make()
  router = made
  const { navigate } = made
  made.navigate = (async (...to: Parameters<typeof navigate>) => {
    const { key } = made.state.location
    await fromPageEntry(() => navigate(...to))
    // It was blocked, so the dialogs need their entries again. After a navigation, those that outlive it ask themselves.
    if (made.state.location.key === key) settleSoon()
  }) as typeof navigate
  made.subscribe(() => {
    shown = entryOf(history.state)
    if (dialogs.length < shown.depth) settleSoon()
  })
  settle()
  return made
}

/** Makes a dialog a history entry while it is open. `close` is called by Back, and may refuse. */
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
  // A navigation has removed the entry of a dialog that outlives it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the navigation is the occasion.
  useEffect(() => {
    if (open) settleSoon()
  }, [open, key])
}
