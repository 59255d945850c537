import { t } from '@lingui/core/macro'
import { useState } from 'react'
import { core } from '~/core'
import { messageOf } from '~/core/problem'
import { textOf } from '~/language'
import { useRenewSession } from '~/lib/session'
import { site } from '~/lib/site'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { ErrorNotice } from '~/ui/Notice'
import { toast } from '~/ui/Toasts'
import { ConnectDialog } from './ConnectDialog'

/** The card that connects or disconnects the user's sign-in provider. Renders nothing if the server has no provider. */
export function ProviderCard({ connected }: { connected: boolean }) {
  const { provider } = site
  const renewSession = useRenewSession()
  const [busy, setBusy] = useState(false)
  const [connecting, setConnecting] = useState(false)
  const [error, setError] = useState<string>()
  if (!provider) return null
  const disconnect = async () => {
    setBusy(true)
    setError(undefined)
    try {
      toast.success(textOf(await core.disconnectProvider()))
      await renewSession()
    } catch (thrown) {
      setError(messageOf(thrown, textOf(core.texts().auth.connectFailed)))
    }
    setBusy(false)
  }
  return (
    <Card
      title={t`Sign-in with ${provider}`}
      subtitle={
        connected
          ? t`You can sign in with your ${provider} account.`
          : t`Connect your ${provider} account to sign in with it.`
      }
    >
      <ErrorNotice className="mb-4" message={error} />
      <Button busy={busy} onClick={() => (connected ? void disconnect() : setConnecting(true))}>
        {connected ? t`Disconnect ${provider}` : t`Connect ${provider}`}
      </Button>
      {connecting && <ConnectDialog provider={provider} onClose={() => setConnecting(false)} />}
    </Card>
  )
}
