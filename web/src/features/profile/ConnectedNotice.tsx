import { t } from '@lingui/core/macro'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { core } from '~/core'
import { textOf } from '~/language'
import { Notice } from '~/ui/Notice'

/** Says whether connecting the sign-in provider succeeded, by the outcome in the URL to which the server redirected. */
export function ConnectedNotice() {
  const [params, setParams] = useSearchParams()
  const [ended] = useState(params.get('connected'))
  useEffect(() => {
    if (params.has('connected')) setParams({}, { replace: true })
  }, [params, setParams])
  const sentence = {
    yes: t`Connected. You can now sign in with it.`,
    taken: t`This provider account is already connected to another user.`,
    failed: textOf(core.texts().auth.connectFailed),
  }[ended ?? '']
  if (!sentence) return null
  return (
    <div role="status" className="mb-4">
      <Notice kind={ended === 'yes' ? 'success' : 'error'}>{sentence}</Notice>
    </div>
  )
}
