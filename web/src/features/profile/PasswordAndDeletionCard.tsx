import { t } from '@lingui/core/macro'
import { useState } from 'react'
import type { Profile } from '~/core'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { DeleteDialog } from './DeleteDialog'
import { PasswordDialog } from './PasswordDialog'

export function PasswordAndDeletionCard({ profile }: { profile: Profile }) {
  const [open, setOpen] = useState<'password' | 'delete'>()
  const close = () => setOpen(undefined)
  return (
    <Card title={t`Password and account`} subtitle={t`A new password signs you out on your other devices.`}>
      <div className="flex flex-wrap justify-between gap-2">
        <Button onClick={() => setOpen('password')}>{t`Change Password`}</Button>
        <Button kind="danger" onClick={() => setOpen('delete')}>
          {t`Delete Account`}
        </Button>
      </div>
      {open === 'password' && <PasswordDialog profile={profile} onClose={close} />}
      {open === 'delete' && <DeleteDialog profile={profile} onClose={close} />}
    </Card>
  )
}
