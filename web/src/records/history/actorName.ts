import type { Message } from '~/core'
import { textOf } from '~/language'

/** Returns the name of who made a change, or what stands for it, in the app's language. */
export const actorName = ({ name, name_message }: { name: string; name_message?: Message | undefined }) =>
  name_message ? textOf(name_message) : name
