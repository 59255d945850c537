import { defineConfig } from '@playwright/test'
import e2e from './playwright.config.ts'

/**
 * The audit: a walk through every page, its report, and Lighthouse. It uses the end-to-end tests' server with its own
 * data directory.
 */
export default defineConfig({
  ...e2e,
  testDir: 'audit',
  retries: 0,
  // The report reads the walk's results from the parent folder.
  outputDir: 'test-results/audit-run',
  use: { ...e2e.use, trace: 'off' },
  projects: [
    { name: 'screens', testMatch: 'screens.spec.ts' },
    { name: 'report', testMatch: 'report.spec.ts', dependencies: ['screens'] },
    // One at a time, because each measures performance.
    { name: 'lighthouse', testMatch: 'lighthouse.spec.ts', workers: 1 },
  ],
})
