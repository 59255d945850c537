// Runs another library in a module worker and loads only the requested one.
import { papa, sheetJs } from './library-job.mjs'

const libraries = { PapaParse: () => import('papaparse'), SheetJS: () => import('@e965/xlsx') }
const jobs = {
  PapaParse: (library, file, mode) => papa(library.default, file, mode),
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
