import type { NavigateFunction } from 'react-router'
import { core, type SignIn } from '~/core'
import { sentencesOf } from '~/language'
import { safeRedirect } from '~/lib/paths'
import { storedSession } from '~/lib/session'
import { toast } from '~/ui/Toasts'
import { CODE_SENT, pendingLogin } from './pending'

/**
 * Stores the tokens of a sign-in, then navigates to `next` if that is a page of the app, else to the role's home page.
 */
export async function completeSignIn(response: SignIn, next: string | null, navigate: NavigateFunction) {
  if (!response.data) throw new Error('A finished sign-in carries its tokens')
  // Deletes the stored session of the previous sign-in, which may belong to another user.
  storedSession.forget()
  core.storeTokens(response.data.tokens)
  pendingLogin.forget()
  toast.close(CODE_SENT)
  toast.success(sentencesOf(response.messages))
  await navigate(safeRedirect(next, core.homeForRole(core.tokenRole())), { replace: true })
}
