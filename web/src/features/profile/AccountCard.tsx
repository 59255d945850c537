import { useState } from 'react'
import type { Profile } from '~/core'
import { Button } from '~/ui/Button'
import { Card } from '~/ui/Card'
import { DeleteDialog } from './DeleteDialog'
import { PasswordDialog } from './PasswordDialog'

/** The password, and the way out for good. */
export function AccountCard({ profile }: { profile: Profile }) {
  const [open, setOpen] = useState<'password' | 'delete'>()
  const close = () => setOpen(undefined)
  return (
    <Card title="Password and account" subtitle="A new password signs you out on your other devices.">
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => setOpen('password')}>Change Password</Button>
        <Button kind="lose" onClick={() => setOpen('delete')}>
          Delete Account
        </Button>
      </div>
      {open === 'password' && <PasswordDialog profile={profile} onClose={close} />}
      {open === 'delete' && <DeleteDialog email={profile.email} onClose={close} />}
    </Card>
  )
}
