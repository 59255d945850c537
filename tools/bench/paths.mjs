import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

export const BENCH = import.meta.dirname
export const ROOT = join(BENCH, '../..')
export const WEB = join(ROOT, 'web')
/** The output folder of build.mjs. */
export const BUILT = join(BENCH, 'built')

const require = createRequire(join(WEB, 'package.json'))
/** Imports a library from the web app's node_modules. */
export const fromWeb = name => import(pathToFileURL(require.resolve(name)))
