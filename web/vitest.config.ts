import { playwright } from '@vitest/browser-playwright'
import { defineConfig, mergeConfig } from 'vitest/config'
import { chromium } from './chromium.ts'
import base from './vite.config.ts'

export default mergeConfig(
  base,
  defineConfig({
    // vite-plugin-wasm inlines the module when it sees a plugin of this name, which Vitest 4 no longer has.
    plugins: [{ name: 'vitest' }],
    // The samples of files to import are core's.
    server: { fs: { allow: ['..'] } },
    test: {
      // A file of tests mostly waits for its page: a core of its own, as is the rule, leaves the machine half idle.
      maxWorkers: '100%',
      projects: [
        { extends: true, test: { name: 'unit', environment: 'node', include: ['src/**/*.test.ts'] } },
        {
          extends: true,
          test: {
            name: 'browser',
            include: ['src/**/*.test.tsx'],
            setupFiles: ['src/test/setup.ts'],
            // A page's parts are fetched when it is first opened, which takes a busy machine more than a second.
            expect: { poll: { timeout: 10_000 } },
            // Chromium may lose a click while every core is taken. What is broken fails twice.
            retry: 1,
            browser: {
              enabled: true,
              // One page loads the app's parts for all files of tests, each of which leaves it as it found it.
              isolate: false,
              headless: true,
              screenshotFailures: false,
              viewport: { width: 1280, height: 800 },
              provider: playwright({ launchOptions: chromium }),
              instances: [{ browser: 'chromium' }],
            },
          },
        },
      ],
    },
  }),
)
