import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import wasm from 'vite-plugin-wasm'
import { rustWasm } from './rust-wasm.ts'

export default defineConfig({
  plugins: [wasm(), react(), tailwindcss(), rustWasm()],
  resolve: { alias: { '~': fileURLToPath(new URL('./src', import.meta.url)) } },
  worker: { format: 'es', plugins: () => [wasm()] },
  build: {
    // Top-level await is native there, so the wasm glue needs no rewriting.
    target: 'es2022',
    // A data: address would break the content security policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
  server: { port: 5173, proxy: { '/api': 'http://127.0.0.1:8080' } },
})
