import type { NavigateFunction } from 'react-router'
import { core, type SignIn } from '~/core'
import { sentencesOf } from '~/language'
import { safeRedirect } from '~/lib/paths'
import { storedSession } from '~/lib/session'
import { toast } from '~/ui/Toasts'
import { pendingLogin } from './pending'

/** Stores the tokens of a sign-in and navigates to `next` or the role's home page. */
export async function completeSignIn(response: SignIn, next: string | null, navigate: NavigateFunction) {
  if (!response.data) throw new Error('A finished sign-in carries its tokens')
  // The previous session may belong to another user.
  storedSession.forget()
  core.storeTokens(response.data.tokens)
  pendingLogin.forget()
  toast.success(sentencesOf(response.messages))
  await navigate(safeRedirect(next, core.homeForRole(core.tokenRole())), { replace: true })
}
