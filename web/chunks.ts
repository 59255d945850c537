import { resolve } from 'node:path'
import type { Plugin, Rolldown } from 'vite'

/** The module of the layout around all pages of signed-in users. */
const FRAME = resolve(import.meta.dirname, 'src/app/Shell.tsx')
/** The folder and the module of the dashboard, the first page after signing in. */
const FIRST_FOLDER = resolve(import.meta.dirname, 'src/features/dashboard')
const FIRST = resolve(FIRST_FOLDER, 'DashboardPage.tsx')

/** Matches the files of core's rules: the wasm module and its JavaScript. */
const RULES = /^assets\/rules(?:_bg)?-[^/]*\.(js|wasm)$/
const SOON: Record<string, Record<string, string>> = {
  js: { rel: 'modulepreload' },
  wasm: { rel: 'preload', as: 'fetch' },
}

/**
 * Splits the app into files: the libraries and the code of the first page, login (`react`, `base` and `start`), the
 * rules, one for the layout of all pages of signed-in users, one for each page, and two with modules that pages share. By
 * default, the bundler creates a file for each combination of pages that share modules, and the first list of a visit
 * would wait for a hundred files, six at a time. The libraries are apart from `start`, because most releases change only
 * that one, the smallest.
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
                // The code that loads wasm is shared by all wasm packages. The first page needs it for the rules.
                { name: 'rules', test: /vite-plugin-wasm-helper/, priority: 4 },
                { name: 'start', test: id => start.has(id), priority: 3 },
                { name: 'frame', test: id => frame.has(id), priority: 2 },
                // Only two files with shared modules, because more could import each other in a cycle.
                { name: 'library', test: isLibrary, minShareCount: 2, priority: 1 },
                { name: 'shared', minShareCount: 2 },
              ],
            },
          },
        },
      },
    }),
    // Scripts get low priority, so that the smaller style sheet, which blocks rendering, is loaded first. The rules are
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
    // Fails the build if files import each other in a cycle: together with top-level await, they could wait forever.
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
      // Modules that the dashboard shares with other pages belong to the layout's file, because the shared files
      // contain modules that the dashboard doesn't need.
      const ofFirst = [...reachable(this, FIRST)].filter(id => !isLibrary(id) && !id.startsWith(FIRST_FOLDER))
      frame = new Set([...reachable(this, FRAME), ...ofFirst])
    },
  }
}

const isLibrary = (id: string) => id.includes('/node_modules/')

/** Returns the ids of a module and of all modules that it imports statically, directly or indirectly. */
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
