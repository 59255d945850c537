import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'

/**
 * Where Lingui finds the screens' texts, and the catalogues of their translations: one per feature, so that parallel
 * changes rarely conflict. The translations of core's messages are in `core.po`, which Lingui doesn't read (see
 * `src/language/swedish.ts`).
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['sv'],
  catalogs: [
    {
      path: '<rootDir>/src/locales/{locale}/frame',
      include: [
        '<rootDir>/src/main.tsx',
        ...['app', 'lib', 'ui', 'records', 'import', 'language'].map(
          folder => `<rootDir>/src/${folder}/**/*.{ts,tsx}`,
        ),
      ],
      exclude: ['**/*.test.*'],
    },
    {
      path: '<rootDir>/src/locales/{locale}/{name}',
      include: ['<rootDir>/src/features/{name}'],
      exclude: ['**/*.test.*'],
    },
  ],
  format: formatter({ origins: true, lineNumbers: false }),
  orderBy: 'message',
  // The module from which compiled macros import `i18n`. Importing ~/language waits for the translations.
  runtimeConfigModule: ['~/language', 'i18n'],
})
