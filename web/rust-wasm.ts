import { spawn } from 'node:child_process'
import { resolve } from 'node:path'
import type { Plugin } from 'vite'

/** During development, rebuilds the wasm packages when Rust files change. Compile errors show in Vite's overlay. */
export function rustWasm(): Plugin {
  const crates = ['core', 'wasm'].map(folder => resolve(import.meta.dirname, '..', folder))
  return {
    name: 'rust-wasm',
    apply: 'serve',
    configureServer(server) {
      if (server.config.mode === 'test') return
      let timer: ReturnType<typeof setTimeout> | undefined
      let building = false
      let again = false
      const build = () => {
        if (building) {
          again = true
          return
        }
        building = true
        let log = ''
        const make = spawn('make', ['-s', '-C', '..', 'wasm-dev'], { stdio: ['ignore', 'pipe', 'pipe'] })
        for (const stream of [make.stdout, make.stderr]) {
          stream.on('data', chunk => {
            log += chunk
          })
        }
        make.on('close', code => {
          building = false
          if (code !== 0) server.ws.send({ type: 'error', err: { message: log.slice(-4000), stack: '' } })
          if (again) {
            again = false
            build()
          }
        })
      }
      server.watcher.add(crates)
      server.watcher.on('change', file => {
        if (!/\.(rs|toml)$/.test(file) || !crates.some(crate => file.startsWith(crate))) return
        clearTimeout(timer)
        timer = setTimeout(build, 80)
      })
    },
  }
}
