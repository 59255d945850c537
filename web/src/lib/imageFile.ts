import { core, type ImageUse } from '~/core'
import { textOf } from '~/language'

/** Returns why a file can't be used as an image, by its size and first bytes; undefined if it can. */
export async function findFileError(use: ImageUse, file: File): Promise<string | undefined> {
  const head = await file.slice(0, core.imageHeadBytes()).arrayBuffer()
  const message = core.checkImage(use, file.size, new Uint8Array(head))
  return message && textOf(message)
}
