import { loadCsv, loadFallback, loadImport, loadXls, loadXlsx } from '~/core/import'

/** A wasm module failed to load. */
export class ModuleLoadError extends Error {}

const loaders = {
  import: loadImport,
  csv: loadCsv,
  xlsx: loadXlsx,
  xls: loadXls,
  fallback: loadFallback,
}

type Loaders = typeof loaders
type Name = keyof Loaders
type Loaded<N extends Name> = Awaited<ReturnType<Loaders[N]>>

/** The wasm modules, each fetched once. `tell` reports when one is being fetched. */
export class Modules {
  private readonly coming = new Map<Name, Promise<unknown>>()
  private readonly here = new Set<Name>()
  private readonly tell: (word: { kind: 'fetching' | 'working' }) => void

  constructor(tell: (word: { kind: 'fetching' | 'working' }) => void) {
    this.tell = tell
  }

  async get<N extends Name>(name: N): Promise<Loaded<N>> {
    if (this.here.has(name)) return this.load(name)
    this.tell({ kind: 'fetching' })
    const loaded = await this.load(name)
    this.tell({ kind: 'working' })
    return loaded
  }

  /** Fetches all modules, so that they are available offline. */
  async warmUp() {
    for (const name of Object.keys(loaders) as Name[]) await this.load(name).catch(() => undefined)
  }

  private load<N extends Name>(name: N): Promise<Loaded<N>> {
    let coming = this.coming.get(name) as Promise<Loaded<N>> | undefined
    if (!coming) {
      coming = (loaders[name]() as Promise<Loaded<N>>).then(
        loaded => {
          this.here.add(name)
          return loaded
        },
        error => {
          // The network may be back when it is needed.
          this.coming.delete(name)
          throw new ModuleLoadError(String(error))
        },
      )
      this.coming.set(name, coming)
    }
    return coming
  }
}
