import { playwright } from '@vitest/browser-playwright'
import { defineConfig, mergeConfig } from 'vitest/config'
import { chromium } from './chromium.ts'
import base from './vite.config.ts'

export default mergeConfig(
  base,
  defineConfig({
    // vite-plugin-wasm inlines wasm modules for browsers only if a plugin of this name exists. Vitest's own
    // one exists only in its main server, not in those of the projects below.
    plugins: [{ name: 'vitest' }],
    // Allows files of the parent folder: the sample files for imports belong to core.
    server: { fs: { allow: ['..'] } },
    test: {
      // All cores, because tests mostly wait for their page. The default, one core less, would leave a machine of two
      // half idle.
      maxWorkers: '100%',
      projects: [
        {
          extends: true,
          test: {
            name: 'unit',
            environment: 'node',
            include: ['src/**/*.test.ts'],
            // Loading wasm can take more than 5 seconds, the default, while browsers start.
            testTimeout: 30_000,
          },
        },
        {
          extends: true,
          test: {
            name: 'browser',
            include: ['src/**/*.test.tsx'],
            setupFiles: ['src/test/setup.ts'],
            // A page's lazily loaded files can take more than a second on a busy machine, and a form filled in by
            // keyboard more than 15 seconds, the default.
            testTimeout: 30_000,
            expect: { poll: { timeout: 10_000 } },
            // A failed test runs once more, because a busy browser can lose a click. A real failure fails again.
            retry: 1,
            browser: {
              enabled: true,
              // All test files share one page, so the app's code is loaded once. Each test cleans up after itself.
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
