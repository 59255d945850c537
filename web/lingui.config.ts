import babel from '@lingui/cli/api/extractors/babel'
import { defineConfig } from '@lingui/conf'
import { formatter } from '@lingui/format-po'
import { sentences } from './language/sources.ts'

/**
 * The sources of the texts and the catalogues of their translations: one catalogue per feature, so that parallel
 * changes rarely conflict.
 */
export default defineConfig({
  sourceLocale: 'en',
  locales: ['sv'],
  catalogs: [
    {
      path: '<rootDir>/src/locales/{locale}/core',
      include: [
        '<rootDir>/../core/src/**/*.rs',
        '<rootDir>/language/templates.txt',
        '<rootDir>/node_modules/@zxcvbn-ts/language-en/dist/translations.mjs',
      ],
      exclude: [],
    },
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
  extractors: [sentences, babel],
  format: formatter({ origins: true, lineNumbers: false }),
  orderBy: 'message',
  // Importing this module waits for the translations.
  runtimeConfigModule: ['~/language', 'i18n'],
})
