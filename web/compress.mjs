// Writes .br and .gz versions of every built file that gets at least 5 % smaller. The server sends the one that the
// browser accepts.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'

const SMALL = 1024
const WORTH = 0.95

const brotli = bytes =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
const gzip = bytes => gzipSync(bytes, { level: 9 })

let twins = 0
for (const entry of readdirSync('dist', { recursive: true, withFileTypes: true })) {
  // The server renders settings into these.
  if (
    !entry.isFile() ||
    ['index.html', 'manifest.webmanifest'].includes(entry.name) ||
    /\.(br|gz|png|woff2)$/.test(entry.name)
  )
    continue
  const path = `${entry.parentPath}/${entry.name}`
  const bytes = readFileSync(path)
  if (bytes.length < SMALL) continue
  for (const [ending, pack] of [
    ['br', brotli],
    ['gz', gzip],
  ]) {
    const packed = pack(bytes)
    if (packed.length < bytes.length * WORTH) {
      writeFileSync(`${path}.${ending}`, packed)
      twins++
    }
  }
}
console.log(`${twins} compressed twins`)
