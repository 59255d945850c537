// Runs one job in a Node.js process of its own, and prints its result, its duration, its CPU time, by how
// much it raised the memory at most, and the size of the wasm memory. The library is loaded before the
// measurement begins.
import { createReadStream, openAsBlob } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { excelJs, HEAD_BYTES, papa, sheetJs, udsv } from './library-job.mjs'
import { kilobytes, resetPeak } from './memory.mjs'
import { BUILT } from './paths.mjs'

const [name, mode, path] = process.argv.slice(2)

const jobs = {
  PapaParse: async () => {
    const { default: Papa } = await import('papaparse')
    return () => papa(Papa, createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 20 }), mode)
  },
  uDSV: async () => {
    const library = await import('udsv')
    return async () => {
      const file = await openAsBlob(path)
      return udsv(library, await (mode === 'preview' ? file.slice(0, HEAD_BYTES) : file).text(), mode)
    }
  },
  SheetJS: async () => {
    const { default: XLSX } = await import('@e965/xlsx')
    return async () => sheetJs(XLSX, await readFile(path), mode)
  },
  ExcelJS: async () => {
    const { default: ExcelJS } = await import('exceljs')
    return async () => excelJs(ExcelJS, await readFile(path), mode)
  },
  Forecourt: async () => {
    const { prepare } = await import(join(BUILT, 'engine.mjs'))
    return prepare(path, mode)
  },
}

const job = await jobs[name]()
const before = resetPeak(['self'])
const cpuBefore = process.cpuUsage()
const started = performance.now()
const result = await job()
const ms = performance.now() - started
const { user, system } = process.cpuUsage(cpuBefore)
const peak = kilobytes(['self'], 'VmHWM') - before
const wasm = (globalThis.wasmMemories ?? []).reduce((sum, memory) => sum + memory.buffer.byteLength, 0)
console.log(JSON.stringify({ ms, cpu: (user + system) / 1000, peak, wasm, result }))
process.exit(0)
