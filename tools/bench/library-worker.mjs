// The module worker in which the other libraries run in Chromium, all but ExcelJS. It loads only the requested library.
import { HEAD_BYTES, papa, sheetJs, udsv } from './library-job.mjs'

const libraries = {
  PapaParse: () => import('papaparse'),
  uDSV: () => import('udsv'),
  SheetJS: () => import('@e965/xlsx'),
}
const jobs = {
  PapaParse: (library, file, mode) => papa(library.default, file, mode),
  uDSV: async (library, file, mode) =>
    udsv(library, await (mode === 'preview' ? file.slice(0, HEAD_BYTES) : file).text(), mode),
  SheetJS: async (library, file, mode) => sheetJs(library, await file.arrayBuffer(), mode),
}

self.onmessage = async ({ data: { library: name, file, mode } }) => {
  try {
    const library = await libraries[name]()
    self.postMessage({
      result: file && (await jobs[name](library, file, mode === 'check' ? mode : 'preview')),
    })
  } catch (error) {
    self.postMessage({ error: String(error?.stack ?? error) })
  }
}
