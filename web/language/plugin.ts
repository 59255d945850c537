import { type NodePath, transformAsync, types } from '@babel/core'
import macros from '@lingui/babel-plugin-lingui-macro'
import { compileMessage } from '@lingui/message-utils/compileMessage'
import { lingui } from '@lingui/vite-plugin'
import type { Plugin } from 'vite'

const MACRO = '@lingui/core/macro'

const textProperty = (object: types.ObjectExpression, name: string) =>
  object.properties.find(
    (property): property is types.ObjectProperty & { value: types.StringLiteral } =>
      types.isObjectProperty(property) &&
      types.isIdentifier(property.key, { name }) &&
      types.isStringLiteral(property.value),
  )

/**
 * A Babel plugin that compiles English messages at build time, so that neither a parser nor an English catalogue is
 * needed at run time.
 */
const messageCompiler = () => ({
  visitor: {
    ObjectExpression({ node }: NodePath<types.ObjectExpression>) {
      const [id, message] = [textProperty(node, 'id'), textProperty(node, 'message')]
      if (!id || !message || !/^[\w+/-]{6}$/.test(id.value.value))
        return // biome-ignore lint/suspicious/noExplicitAny: a value becomes another kind of node.
      ;(message as any).value = types.valueToNode(compileMessage(message.value.value))
    },
  },
})

/** Compiles Lingui macros to calls that look up translations, and .po catalogues to modules. */
export const texts = (): Plugin[] => [
  {
    name: 'texts',
    enforce: 'pre',
    transform: {
      filter: { id: /\/src\/.*\.tsx?$/, code: MACRO },
      async handler(code, id) {
        const result = await transformAsync(code, {
          filename: id,
          babelrc: false,
          configFile: false,
          sourceMaps: true,
          retainLines: true,
          parserOpts: { plugins: ['typescript', ...(id.endsWith('x') ? (['jsx'] as const) : [])] },
          plugins: [[macros, { stripMessageField: false }], messageCompiler],
        })
        return { code: result?.code ?? code, map: result?.map as never }
      },
    },
  },
  ...(lingui({ failOnCompileError: true }) as Plugin[]),
]
