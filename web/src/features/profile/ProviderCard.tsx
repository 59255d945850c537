import { useState } from 'react'
import { core } from '~/core'
import { sentenceOf } from '~/lib/problem'
import { useRenewSession } from '~/lib/session'
import { site } from '~/lib/site'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { Notice } from '~/ui/Notice'
import { toast } from '~/ui/Toasts'

/** Connects the person with the provider that one can sign in with here, and disconnects them; nothing where there is none. */
export function ProviderCard({ connected }: { connected: boolean }) {
  const { provider } = site
  const renewSession = useRenewSession()
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  if (!provider) return null
  const work = async (doIt: () => Promise<unknown>) => {
    setBusy(true)
    setError(undefined)
    try {
      await doIt()
    } catch (thrown) {
      setError(sentenceOf(thrown, core.texts().auth.connectFailed))
    }
    setBusy(false)
  }
  const connect = async () => location.assign((await core.connectProvider()).url)
  const disconnect = async () => {
    toast.success((await core.disconnectProvider()).message)
    await renewSession()
  }
  return (
    <Card
      title={`Sign-in with ${provider}`}
      subtitle={
        connected
          ? `You can sign in with your account at ${provider}.`
          : `Connect your account at ${provider} to sign in with it.`
      }
    >
      {error && (
        <Notice kind="error" className="mb-4">
          {error}
        </Notice>
      )}
      <Button busy={busy} onClick={() => void work(connected ? disconnect : connect)}>
        {connected ? `Disconnect ${provider}` : `Connect ${provider}`}
      </Button>
    </Card>
  )
}
