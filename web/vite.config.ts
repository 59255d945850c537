import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { VitePWA } from 'vite-plugin-pwa'
import wasm from 'vite-plugin-wasm'
import { chunks } from './chunks.ts'
import { texts } from './language/plugin.ts'
import { rustWasm } from './rust-wasm.ts'

/**
 * Builds the service worker with the list of files that it stores. The page itself isn't in the list, because the
 * server writes settings into it.
 */
const offline = VitePWA({
  strategies: 'injectManifest',
  srcDir: 'sw',
  filename: 'sw.ts',
  manifest: false,
  injectRegister: false,
  injectManifest: {
    // Of the fonts, only the one that every page needs.
    globPatterns: [
      'assets/**/*.{js,css,wasm}',
      'assets/inter-latin-*.woff2',
      'theme.js',
      'favicon.svg',
      'icons/192.png',
    ],
    dontCacheBustURLsMatching: /^assets\//,
    maximumFileSizeToCacheInBytes: 4 * 1024 * 1024,
  },
})

/** During development, writes the demo's settings into the page, as the demo's server does. */
const demoSite: Plugin = {
  name: 'demo-site',
  apply: 'serve',
  transformIndexHtml: page =>
    page.replace('{"brand":"Forecourt"}', '{"brand":"Forecourt","mailbox":"/demo/mailbox","signup":true}'),
}

export default defineConfig({
  plugins: [wasm(), texts(), react(), tailwindcss(), rustWasm(), chunks(), offline, demoSite],
  resolve: { alias: { '~': fileURLToPath(new URL('./src', import.meta.url)) } },
  worker: { format: 'es', plugins: () => [wasm()] },
  build: {
    // These browsers support top-level await, which the code that loads wasm uses.
    target: 'es2022',
    // No file is inlined as a data: URL, because the content security policy blocks them.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    sourcemap: false,
  },
  server: { port: 5173, proxy: { '/api': 'http://127.0.0.1:8080', '/demo': 'http://127.0.0.1:8080' } },
})
