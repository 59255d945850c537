// A peer in a module worker of the page: it loads the one library that it is asked for.
import { papa, sheetJs } from './job.mjs'

const libraries = { PapaParse: () => import('papaparse'), SheetJS: () => import('@e965/xlsx') }
const jobs = {
  PapaParse: (library, file, mode) => papa(library.default, file, mode),
  SheetJS: async (library, file, mode) => sheetJs(library, await file.arrayBuffer(), mode),
}

self.onmessage = async ({ data: { who, file, mode } }) => {
  try {
    const library = await libraries[who]()
    self.postMessage({
      answer: file && (await jobs[who](library, file, mode === 'check' ? mode : 'preview')),
    })
  } catch (error) {
    self.postMessage({ error: String(error?.stack ?? error) })
  }
}
