import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import { core } from '~/core'
import { Notice } from '~/ui/Notice'

/** Shows the outcome of connecting the sign-in provider, which the redirect's query contained. */
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
