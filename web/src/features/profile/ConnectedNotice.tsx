import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { core } from '~/core'
import { Notice } from '~/ui/Notice'

/** How connecting the sign-in provider ended, as the way back from it says; the address says it no longer. */
export function ConnectedNotice() {
  const [params, setParams] = useSearchParams()
  const [ended] = useState(params.get('connected'))
  useEffect(() => {
    if (params.has('connected')) setParams({}, { replace: true })
  }, [params, setParams])
  const { connected, federatedTaken, connectFailed } = core.texts().auth
  const sentence = { yes: connected, taken: federatedTaken, failed: connectFailed }[ended ?? '']
  if (!sentence) return null
  return (
    <div role="status" className="mb-4">
      <Notice kind={ended === 'yes' ? 'success' : 'error'}>{sentence}</Notice>
    </div>
  )
}
