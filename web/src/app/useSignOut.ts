import { t } from '@lingui/core/macro'
import { useNavigate } from 'react-router'
import { core } from '~/core'
import { textOf } from '~/language'
import { drafts } from '~/lib/drafts'
import { paths } from '~/lib/paths'
import { toast } from '~/ui/Toasts'

/** Returns a function that signs the user out: it ends the session on the server and in this browser. */
export function useSignOut() {
  const navigate = useNavigate()
  return async () => {
    try {
      await core.logout()
      drafts.deleteEverywhere()
      toast.success(textOf(core.texts().auth.signedOut))
      await navigate(paths.login, { replace: true })
    } catch {
      toast.error(t`Something went wrong while logging out`)
    }
  }
}
