import { playwright } from '@vitest/browser-playwright'
import { defineConfig, mergeConfig } from 'vitest/config'
import { chromium } from './chromium.ts'
import base from './vite.config.ts'

export default mergeConfig(
  base,
  defineConfig({
    // vite-plugin-wasm inlines the module if a plugin of this name exists, which Vitest 4 no longer provides.
    plugins: [{ name: 'vitest' }],
    // The sample import files are part of core.
    server: { fs: { allow: ['..'] } },
    test: {
      // Test files mostly wait for their page. The default of one core less would leave a machine of two cores half idle.
      maxWorkers: '100%',
      projects: [
        { extends: true, test: { name: 'unit', environment: 'node', include: ['src/**/*.test.ts'] } },
        {
          extends: true,
          test: {
            name: 'browser',
            include: ['src/**/*.test.tsx'],
            setupFiles: ['src/test/setup.ts'],
            // A page's lazily loaded files can take more than a second on a busy machine.
            expect: { poll: { timeout: 10_000 } },
            // A busy browser can lose a click. A real failure fails twice.
            retry: 1,
            browser: {
              enabled: true,
              // All test files share one page, which loads the app once. Each test cleans up after itself.
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
