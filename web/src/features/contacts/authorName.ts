import type { Comment } from '~/core'
import { actorName } from '~/records/history/actorName'

/** Returns the name of a comment's author, or what stands for it, in the app's language. */
export const authorName = ({ userName, userNameMessage }: Comment) =>
  actorName({ name: userName, name_message: userNameMessage })
