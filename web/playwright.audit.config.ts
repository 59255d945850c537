import { defineConfig } from '@playwright/test'
import e2e from './playwright.config.ts'

/**
 * The audit: checks and screenshots of every page in its states, a report of them, the README's animation, and Lighthouse. It starts the same
 * server as the end-to-end tests, with another data directory.
 */
export default defineConfig({
  ...e2e,
  testDir: 'audit',
  retries: 0,
  // Not the parent folder, which Playwright would empty: the report reads the results of `screens` from there.
  outputDir: 'test-results/audit-run',
  use: { ...e2e.use, trace: 'off' },
  projects: [
    { name: 'screens', testMatch: 'screens.spec.ts' },
    { name: 'report', testMatch: 'report.spec.ts', dependencies: ['screens'] },
    { name: 'animation', testMatch: 'animation.spec.ts' },
    // One at a time, because Lighthouse measures performance.
    { name: 'lighthouse', testMatch: 'lighthouse.spec.ts', workers: 1 },
  ],
})
