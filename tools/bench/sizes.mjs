// The sizes of the two import modules (wasm and JavaScript), compressed as the server sends them.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { WEB } from './paths.mjs'

/**
 * Returns the sizes of both import modules of the built app, `wasm` and its JavaScript `glue`, in kilobytes after
 * compression with brotli. Undefined if the app was not built.
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
