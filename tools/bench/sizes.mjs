// The sizes of the wasm packages `import` and `fallback` in the built app, each with its JavaScript, compressed as the
// server sends them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { WEB } from './paths.mjs'

/**
 * Returns for each of these packages the sizes of its wasm file (`wasm`) and of its JavaScript (`glue`), in kilobytes
 * after compression with brotli. A size is undefined if the build has no such file. Throws if the app was not built.
 */
export function sizes() {
  const folder = join(WEB, 'dist/assets')
  const names = readdirSync(folder)
  const of = pattern => {
    const name = names.find(name => pattern.test(name))
    return name ? brotliCompressSync(readFileSync(join(folder, name))).length / 1000 : undefined
  }
  return ['import', 'fallback'].map(name => ({
    name,
    wasm: of(new RegExp(`^${name}_bg-[\\w-]+\\.wasm$`)),
    glue: of(new RegExp(`^${name}-[\\w-]+\\.js$`)),
  }))
}
