import { type RefObject, useEffect } from 'react'
import { useNavigate } from 'react-router'
import { onReturn } from '~/lib/returns'
import { pageOfSignedIn } from './loader'

/** Returns whether the user has typed something. What a password manager has filled in doesn't count. */
const isTyped = (form: HTMLFormElement | null) =>
  [...(form?.querySelectorAll('input') ?? [])].some(
    input => input.type !== 'checkbox' && input.value !== '' && !input.matches(':autofill'),
  )

/**
 * Continues with `next`, or the user's home page, when a user has signed in in another tab, unless something is typed in
 * the form: it may be meant for another account.
 */
export function useFollowSignIn(form: RefObject<HTMLFormElement | null>, next: string | null) {
  const navigate = useNavigate()
  useEffect(() => {
    let isShown = true
    let isLeaving = false
    const follow = async () => {
      const page = await pageOfSignedIn(next)
      if (page === undefined || !isShown || isLeaving || isTyped(form.current)) return
      isLeaving = true
      await navigate(page, { replace: true })
      // This page is still shown if that session has ended.
      isLeaving = false
    }
    // If core fails to load, the next sign-in or return tries again.
    const listen = () => void follow().catch(() => undefined)
    addEventListener('storage', listen)
    const stopReturns = onReturn(listen)
    return () => {
      isShown = false
      removeEventListener('storage', listen)
      stopReturns()
    }
  }, [form, next, navigate])
}
