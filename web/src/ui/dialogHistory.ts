import { useEffect, useEffectEvent, useLayoutEffect } from 'react'
import { flushSync } from 'react-dom'
import { type createBrowserRouter, useLocation } from 'react-router'

/*
 * Each open dialog, and on a phone each open menu, which counts as a dialog here, has a history entry of its own above
 * the router's entry, so Back closes the dialog instead of leaving the page. The router never sees these entries: they contain its state plus the number of open dialogs, so
 * opening a dialog loads no data and changes no URL.
 */

type Router = ReturnType<typeof createBrowserRouter>
type Dialog = { close: () => void }

/** A history entry: the router's key of its page, and the number of dialogs that are open at this entry. */
type Entry = { key: string; depth: number }

/** A pending `history.go`, which the browser completes asynchronously. */
type Traversal = { depth: number; ended: Promise<void>; end: () => void }

/** Maximum time to wait until the browser has moved to another history entry. */
const TIMEOUT_MS = 1000

let router: Router | undefined
/** The open dialogs, topmost last. */
let dialogs: readonly Dialog[] = []
let shown: Entry = { key: '', depth: 0 }
let traversal: Traversal | undefined
/** Number of navigations in progress. A navigation first leaves the history entries of all dialogs. */
let navigations = 0

const entryOf = (state: { key?: string; dialogs?: number } | null): Entry => ({
  // The router calls the first entry "default" and writes no key into it.
  key: state?.key ?? 'default',
  depth: state?.dialogs ?? 0,
})

/** Moves the browser to this page's history entry with `depth` open dialogs. Resolves when it is there. */
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
function syncEntries() {
  if (!router || traversal || navigations > 0 || router.state.navigation.state !== 'idle') return
  shown = entryOf(history.state)
  // The browser shows another entry than the router: a navigation is in progress, or a blocked one is about to be
  // undone.
  if (shown.key !== router.state.location.key) return
  if (shown.depth > dialogs.length) {
    void traverse(dialogs.length).then(syncEntries)
    return
  }
  while (shown.depth < dialogs.length) {
    history.pushState({ ...history.state, dialogs: shown.depth + 1 }, '')
    shown = entryOf(history.state)
  }
}

/** Calls `syncEntries` after all effects of this render, because one dialog may replace another in the same render. */
const syncEntriesSoon = () => queueMicrotask(syncEntries)

function onPop(event: PopStateEvent) {
  const before = shown
  shown = entryOf(event.state)
  if (shown.key !== before.key || shown.depth === before.depth) {
    // The new entry isn't a dialog's, so the router handles it: another page, a blocked navigation that was undone, or
    // another hash.
    traversal?.end()
    syncEntriesSoon()
    return
  }
  event.stopImmediatePropagation()
  if (traversal) {
    if (shown.depth === traversal.depth) traversal.end()
    return
  }
  // Back closes only the topmost dialog, even if it skipped several entries. Forward reopens no dialog.
  if (shown.depth < dialogs.length) flushSync(() => dialogs.at(-1)?.close())
  syncEntries()
}

/**
 * Leaves the history entries of the dialogs and then runs `work`, because a navigation from a dialog's entry would
 * leave that entry in the history. If no dialog has an entry, runs `work` synchronously.
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
 * Creates the router with `make`. From now on every open dialog has a history entry (see `useHistoryEntry`), and every
 * navigation first leaves the entries of the dialogs.
 */
export function withDialogHistory(make: () => Router): Router {
  // Registered before the router's own listener, which would reload the page. Listeners run in registration order.
  addEventListener('popstate', onPop)
  const made = make()
  router = made
  const { navigate, subscribe } = made
  made.navigate = (async (...to: Parameters<typeof navigate>) => {
    const { key } = made.state.location
    await fromPageEntry(() => navigate(...to))
    // The page is the same, so the navigation was blocked, and the dialogs need their entries again. After a completed
    // navigation, `useHistoryEntry` adds the entries of dialogs that are still open.
    if (made.state.location.key === key) syncEntriesSoon()
  }) as typeof navigate
  // Subscribes only after React Router's component: the router reports what has changed before only to its first
  // subscriber. If the first page has loaded before the component is mounted, the splash screen would stay.
  let isWatching = false
  made.subscribe = listener => {
    const stop = subscribe(listener)
    if (!isWatching)
      subscribe(() => {
        shown = entryOf(history.state)
        if (dialogs.length < shown.depth) syncEntriesSoon()
      })
    isWatching = true
    return stop
  }
  syncEntries()
  return made
}

/** Gives a dialog or menu a history entry while it is open. Back calls `close`, which may leave the dialog open. */
export function useHistoryEntry(open: boolean, close: () => void) {
  const { key } = useLocation()
  const closeLatest = useEffectEvent(close)
  useLayoutEffect(() => {
    if (!open) return
    const dialog = { close: () => closeLatest() }
    dialogs = [...dialogs, dialog]
    syncEntriesSoon()
    return () => {
      dialogs = dialogs.filter(other => other !== dialog)
      syncEntriesSoon()
    }
  }, [open])
  // After a navigation, a dialog that is still open needs a new entry.
  // biome-ignore lint/correctness/useExhaustiveDependencies: `key` triggers the effect after each navigation.
  useEffect(() => {
    if (open) syncEntriesSoon()
  }, [open, key])
}
