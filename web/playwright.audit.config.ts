import { defineConfig } from '@playwright/test'
import e2e from './playwright.config.ts'

/** The walk through every screen, its report, and Lighthouse: on the stories' server, from a folder of their own. */
export default defineConfig({
  ...e2e,
  testDir: 'audit',
  retries: 0,
  // The report reads what the walk leaves beside it.
  outputDir: 'test-results/audit-run',
  use: { ...e2e.use, trace: 'off' },
  projects: [
    { name: 'screens', testMatch: 'screens.spec.ts' },
    { name: 'report', testMatch: 'report.spec.ts', dependencies: ['screens'] },
    // One after the other: each measures how quick the machine is.
    { name: 'lighthouse', testMatch: 'lighthouse.spec.ts', workers: 1 },
  ],
})
