import { resolve } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/** What every screen stands in, and nobody needs who isn't signed in. */
const FRAME = resolve(import.meta.dirname, 'src/app/Shell.tsx')
/** A part that several screens share is worth a file of its own from this size on, in bytes before they are packed. */
const WORTH = 20_000

/** The rules: the wasm module, and the program that calls it. */
const RULES = /^assets\/rules(?:_bg)?-[^/]*\.(js|wasm)$/
const SOON: Record<string, Record<string, string>> = {
  js: { rel: 'modulepreload' },
  wasm: { rel: 'preload', as: 'fetch' },
}

/**
 * Which files the app comes in: three with all that the first screen needs, one with what every screen of somebody signed in
 * needs, one for each screen, and a few that screens share. Left to itself the bundler cuts a file for every set of screens
 * that share something, and the first list of a visit waits for a hundred, six at a time. The three, because a release mostly
 * changes the last, which is the smallest.
 */
export function chunks(): Plugin {
  let start = new Set<string>()
  let frame = new Set<string>()
  return {
    name: 'chunks',
    apply: 'build',
    config: () => ({
      build: {
        rolldownOptions: {
          output: {
            chunkFileNames: ({ name }) => `assets/${name.split('~')[0]}-[hash].js`,
            codeSplitting: {
              groups: [
                { name: 'react', test: /\/node_modules\/(react|react-dom|scheduler)\//, priority: 5 },
                { name: 'base', test: id => start.has(id) && id.includes('/node_modules/'), priority: 4 },
                { name: 'start', test: id => start.has(id), priority: 3 },
                { name: 'frame', test: id => frame.has(id), priority: 2 },
                { name: 'shared', minShareCount: 2, entriesAware: true, entriesAwareMergeThreshold: WORTH },
              ],
            },
          },
        },
      },
    }),
    // The style sheet, without which nothing is drawn, isn't to share a slow network with ten times its size. The rules are
    // fetched beside the programs that ask for them, and not after these.
    transformIndexHtml: {
      order: 'post',
      handler: (page, { bundle = {} }) => ({
        html: page.replaceAll('<script type="module"', '<script type="module" fetchpriority="low"'),
        tags: Object.keys(bundle).flatMap(file => {
          const kind = RULES.exec(file)?.[1]
          if (!kind) return []
          const attrs = { ...SOON[kind], fetchpriority: 'low', crossorigin: true, href: `/${file}` }
          return { tag: 'link', attrs, injectTo: 'head' as const }
        }),
      }),
    },
    buildEnd() {
      const entry = [...this.getModuleIds()].find(id => this.getModuleInfo(id)?.isEntry)
      if (entry) start = reachable(this, entry)
      frame = reachable(this, FRAME)
    },
  }
}

/** The module and all that it needs before it can run. */
function reachable(bundler: Pick<Rolldown.PluginContext, 'getModuleInfo'>, from: string): Set<string> {
  const found = new Set<string>()
  const open = [from]
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const module = bundler.getModuleInfo(id)
    if (!module || found.has(id)) continue
    found.add(id)
    open.push(...module.importedIds)
  }
  return found
}
