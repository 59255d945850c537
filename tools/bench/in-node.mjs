// One job in a Node process of its own: what is read and checked, how long it takes, the most memory. The libraries are
// loaded before the clock starts.
import { createReadStream } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { excelJs, papa, sheetJs } from './job.mjs'
import { beginAnew, kilobytes } from './memory.mjs'
import { BUILT } from './places.mjs'

const [who, mode, path] = process.argv.slice(2)

const peers = {
  PapaParse: async () => {
    const { default: Papa } = await import('papaparse')
    return () => papa(Papa, createReadStream(path, { encoding: 'utf8', highWaterMark: 1 << 20 }), mode)
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

const job = await peers[who]()
const before = beginAnew(['self'])
const worked = process.cpuUsage()
const begun = performance.now()
const answer = await job()
const ms = performance.now() - begun
const { user, system } = process.cpuUsage(worked)
const peak = kilobytes(['self'], 'VmHWM') - before
const wasm = (globalThis.wasmMemories ?? []).reduce((sum, memory) => sum + memory.buffer.byteLength, 0)
console.log(JSON.stringify({ ms, cpu: (user + system) / 1000, peak, wasm, answer }))
process.exit(0)
