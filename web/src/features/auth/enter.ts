import type { NavigateFunction } from 'react-router'
import { core, type SignIn } from '~/core'
import { wantedOr } from '~/lib/paths'
import { keptSession } from '~/lib/session'
import { toast } from '~/ui/Toasts'
import { pendingLogin } from './pending'

/** Goes in with the tokens of a sign-in: to the page that was wanted, else to the role's own. */
export async function enter(answer: SignIn, next: string | null, navigate: NavigateFunction) {
  if (!answer.data) throw new Error('A finished sign-in carries its tokens')
  // Perhaps it is somebody else.
  keptSession.forget()
  core.storeTokens(answer.data.tokens)
  pendingLogin.forget()
  toast.success(answer.message)
  await navigate(wantedOr(next, core.homeForRole(core.tokenRole())), { replace: true })
}
