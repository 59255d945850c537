import { useEffect } from 'react'
import { useNavigate } from 'react-router'
import { loadCore } from '~/core'
import { paths } from '~/lib/paths'
import { useTitle } from '~/lib/title'
import { toast } from '~/ui/Toasts'
import { CodeForm } from './CodeForm'
import { pendingLogin } from './pending'

/** The mailed code. Without a login that waits for one there is nothing to do here. */
export function CodePage() {
  useTitle('Verify code')
  const navigate = useNavigate()
  const login = pendingLogin.read()
  const missing = login === undefined ? 'noLoginData' : login.email === '' ? 'noEmail' : undefined
  useEffect(() => {
    if (!missing) return
    let live = true
    void loadCore().then(core => {
      if (!live) return
      toast.error(core.texts().auth[missing])
      void navigate(paths.login, { replace: true })
    })
    return () => {
      live = false
    }
  }, [missing, navigate])
  return login && !missing && <CodeForm login={login} />
}
