import { resolve } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/** The layout of signed-in pages. */
const FRAME = resolve(import.meta.dirname, 'src/app/Shell.tsx')
/** The first page after signing in, and the folder of its own modules. */
const FIRST_FOLDER = resolve(import.meta.dirname, 'src/features/dashboard')
const FIRST = resolve(FIRST_FOLDER, 'DashboardPage.tsx')

/** The rules: the wasm module and its JavaScript. */
const RULES = /^assets\/rules(?:_bg)?-[^/]*\.(js|wasm)$/
const SOON: Record<string, Record<string, string>> = {
  js: { rel: 'modulepreload' },
  wasm: { rel: 'preload', as: 'fetch' },
}

/**
 * Splits the app into files: three with everything the first page needs, one with what every signed-in page needs,
 * one per page, and two shared ones. By default the bundler creates a file for each combination of pages that share
 * modules, and the first list of a visit would wait for a hundred files, six at a time. Three files for the first
 * page, because a release mostly changes only the last and smallest.
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
                { name: 'base', test: id => isLibrary(id) && start.has(id), priority: 4 },
                // All wasm packages share it; the first page needs it for the rules.
                { name: 'rules', test: /vite-plugin-wasm-helper/, priority: 4 },
                { name: 'start', test: id => start.has(id), priority: 3 },
                { name: 'frame', test: id => frame.has(id), priority: 2 },
                // Two files, because more of them could import each other in a cycle.
                { name: 'library', test: isLibrary, minShareCount: 2, priority: 1 },
                { name: 'shared', minShareCount: 2 },
              ],
            },
          },
        },
      },
    }),
    // The style sheet blocks rendering, so it is requested before files of ten times its size. The rules are
    // preloaded in parallel with the scripts that import them.
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
    // A file that waits for the rules, and is part of a cycle, can be waited for without end.
    generateBundle(_, bundle) {
      const done = new Set<string>()
      const visit = (name: string, path: string[]) => {
        if (path.includes(name)) this.error(`Files import each other: ${[...path, name].join(' ')}`)
        const file = bundle[name]
        if (done.has(name) || file?.type !== 'chunk') return
        for (const imported of file.imports) visit(imported, [...path, name])
        done.add(name)
      }
      for (const name of Object.keys(bundle)) visit(name, [])
    },
    buildEnd() {
      const entry = [...this.getModuleIds()].find(id => this.getModuleInfo(id)?.isEntry)
      if (entry) start = reachable(this, entry)
      // What the first page shares with others would else be in files with modules that it does not need.
      const ofFirst = [...reachable(this, FIRST)].filter(id => !isLibrary(id) && !id.startsWith(FIRST_FOLDER))
      frame = new Set([...reachable(this, FRAME), ...ofFirst])
    },
  }
}

const isLibrary = (id: string) => id.includes('/node_modules/')

/** Returns a module and its transitive static imports. */
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
