import { t } from '@lingui/core/macro'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { useNavigate } from 'react-router'
import { core } from '~/core'
import { textOf } from '~/language'
import { drafts } from '~/lib/drafts'
import { paths } from '~/lib/paths'
import { Confirm } from '~/ui/Confirm'
import { toast } from '~/ui/Toasts'
import { findUnsavedWork } from './unsavedWork'

const SignOut = createContext(() => {})

/** Returns a function that signs the user out. If that would delete unsaved work, it asks first. */
export const useSignOut = () => useContext(SignOut)

/** Provides `useSignOut` to the components in it, and shows its question. */
export function SignOutProvider({ children }: { children: ReactNode }) {
  const navigate = useNavigate()
  // What would be deleted, in sentences. Empty unless the question is open.
  const [unsaved, setUnsaved] = useState<string[]>([])
  /** Ends the session on the server and in this browser. */
  const signOut = async () => {
    try {
      await core.logout()
      drafts.deleteEverywhere()
      toast.success(textOf(core.texts().auth.signedOut))
      await navigate(paths.login, { replace: true })
    } catch {
      toast.error(
        core.hasOtherSession()
          ? textOf(core.texts().general.otherUser)
          : t`Something went wrong while logging out`,
      )
    }
  }
  const ask = async () => {
    const work = await findUnsavedWork()
    if (work.length > 0) setUnsaved(work)
    else await signOut()
  }
  return (
    <SignOut value={() => void ask()}>
      {children}
      <Confirm
        open={unsaved.length > 0}
        title={t`Sign out anyway?`}
        description={unsaved.join(' ')}
        cancelLabel={t`Stay signed in`}
        confirmLabel={t`Sign out`}
        onCancel={() => setUnsaved([])}
        onConfirm={() => {
          setUnsaved([])
          void signOut()
        }}
      />
    </SignOut>
  )
}
