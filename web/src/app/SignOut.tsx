import { t } from '@lingui/core/macro'
import { createContext, type ReactNode, useContext, useState } from 'react'
import { useNavigate } from 'react-router'
import { core } from '~/core'
import { textOf } from '~/language'
import { drafts, otherUnsavedWork } from '~/lib/drafts'
import { paths } from '~/lib/paths'
import { Confirm } from '~/ui/Confirm'
import { toast } from '~/ui/Toasts'
import { hasUnsavedChanges } from '~/ui/unsavedChanges'

const SignOut = createContext(() => {})

/** Returns sentences about the unsaved work that a sign-out in this tab deletes. Empty if there is none. */
const unsavedWork = () => [
  ...otherUnsavedWork(),
  ...(hasUnsavedChanges() || drafts.hasInput() ? [t`Unsaved changes will be deleted.`] : []),
]

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
      toast.error(t`Something went wrong while logging out`)
    }
  }
  const ask = () => {
    const work = unsavedWork()
    if (work.length > 0) setUnsaved(work)
    else void signOut()
  }
  return (
    <SignOut value={ask}>
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
