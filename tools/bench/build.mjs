// Builds two bundles: the import engine for Node.js, and, for a worker in Chromium, the libraries that the engine is
// compared with there, all but ExcelJS.
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { BENCH, BUILT, fromWeb, WEB } from './paths.mjs'

/**
 * Vite plugin: loads a wasm module from its file, and exposes the module's memory, so that its size can be measured.
 */
const wasm = {
  name: 'wasm-in-node',
  enforce: 'pre',
  load(id) {
    if (!id.endsWith('.wasm')) return null
    const module = new WebAssembly.Module(readFileSync(id))
    const sources = [...new Set(WebAssembly.Module.imports(module).map(entry => entry.module))]
    const names = WebAssembly.Module.exports(module).map(entry => entry.name)
    return [
      `import { readFileSync } from 'node:fs'`,
      ...sources.map((source, index) => `import * as from${index} from ${JSON.stringify(source)}`),
      `const bytes = readFileSync(${JSON.stringify(id)})`,
      `const imports = { ${sources.map((source, index) => `${JSON.stringify(source)}: from${index}`).join(', ')} }`,
      `const { instance } = await WebAssembly.instantiate(bytes, imports)`,
      `globalThis.wasmMemories = [...(globalThis.wasmMemories ?? []), instance.exports.memory]`,
      ...names.map((name, index) => `const export${index} = instance.exports[${JSON.stringify(name)}]`),
      `export { ${names.map((name, index) => `export${index} as ${name}`).join(', ')} }`,
    ].join('\n')
  },
}

export async function build() {
  const { build: bundle } = await fromWeb('vite')
  rmSync(BUILT, { recursive: true, force: true })
  const common = { configFile: false, logLevel: 'warn', root: BENCH, publicDir: false }
  const output = { target: 'es2022', outDir: BUILT, emptyOutDir: false, minify: true }
  await bundle({
    ...common,
    plugins: [wasm],
    resolve: { alias: { '~': join(WEB, 'src') } },
    ssr: { noExternal: true },
    build: {
      ...output,
      ssr: join(BENCH, 'engine.mjs'),
      rollupOptions: { output: { entryFileNames: 'engine.mjs' } },
    },
  })
  await bundle({
    ...common,
    base: '/libraries/',
    build: {
      ...output,
      modulePreload: false,
      rollupOptions: {
        input: join(BENCH, 'library-worker.mjs'),
        output: { entryFileNames: 'library-worker.js', chunkFileNames: '[name]-[hash].js' },
      },
    },
  })
}
