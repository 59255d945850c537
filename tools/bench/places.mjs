import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const BENCH = import.meta.dirname
export const ROOT = join(BENCH, '../..')
export const WEB = join(ROOT, 'web')
/** Where what is built for the benchmark lies. */
export const BUILT = join(BENCH, 'built')

const require = createRequire(join(WEB, 'package.json'))
/** A library that the web app has already. */
export const fromWeb = name => import(pathToFileURL(require.resolve(name)))
