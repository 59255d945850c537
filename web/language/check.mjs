// Checks the catalogues against the sources: every text is in its catalogue and translated with the same
// placeholders, and a text has the same translation in every catalogue.
import { getCatalogs } from '@lingui/cli/api'
import { getConfig } from '@lingui/conf'
import { compileMessage } from '@lingui/message-utils/compileMessage'

const config = getConfig()
const faults = []

/** Returns the sorted placeholder names of a compiled message. */
const valuesOf = compiled => {
  const names = new Set()
  const look = tokens => {
    if (!Array.isArray(tokens)) return
    for (const token of tokens) {
      if (!Array.isArray(token)) continue
      names.add(token[0])
      for (const branch of Object.values(token[2] ?? {})) look(branch)
    }
  }
  look(compiled)
  return [...names].toSorted().join(', ')
}

const readable = new Map()
for (const catalog of await getCatalogs(config)) {
  const found = await catalog.collect()
  if (!found) throw new Error(`The texts of ${catalog.name} can't be read`)
  for (const locale of config.locales) {
    const file = `src/locales/${locale}/${catalog.name}.po`
    const kept = (await catalog.read(locale)) ?? {}
    for (const [id, { message = id }] of Object.entries(found)) {
      const translation = kept[id]?.translation
      const fault = what => faults.push(`${file}: “${message}” ${what}`)
      if (!(id in kept)) fault('is missing. Run npm run texts.')
      else if (!translation) fault('has no translation.')
      else {
        const values = valuesOf(compileMessage(translation))
        const own = valuesOf(compileMessage(message))
        if (values !== own) fault(`has the values ${own || 'none'}, its translation ${values || 'none'}.`)
        const before = readable.get(`${locale} ${id}`)
        if (before && before.translation !== translation)
          fault(`has a different translation in ${before.file}.`)
        readable.set(`${locale} ${id}`, { file, translation })
      }
    }
    for (const [id, { message = id }] of Object.entries(kept)) {
      if (!(id in found)) faults.push(`${file}: “${message}” is no longer used. Run npm run texts.`)
    }
  }
}
for (const fault of faults) console.error(fault)
if (faults.length > 0) process.exit(1)
