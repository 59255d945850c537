import { t } from '@lingui/core/macro'
import { core, type Profile } from '~/core'
import { fullName } from '~/lib/session'
import { roleName, userTypeNames } from '~/lib/words'
import { AvatarPicker } from './AvatarPicker'
import type { Edit } from './useEdit'

export function PersonCard({ profile, edit }: { profile: Profile; edit: Edit }) {
  const name = fullName(profile)
  // In some languages, the first role has the name of its users' type.
  const isFirstRole = profile.type === 'Admin' && profile.role === core.texts().roles.firstRole.text
  const role = !isFirstRole && roleName(profile.role)
  const place = [userTypeNames[profile.type], role, profile.corp.corp_name].filter(Boolean)
  return (
    <section
      aria-label={t`Account`}
      className="card flex flex-wrap items-center gap-5 p-5 max-sm:items-start"
    >
      <AvatarPicker name={name} picture={edit.picture} onCropped={edit.setPicture}>
        <h2 className="text-xl leading-7 font-semibold tracking-tight [overflow-wrap:anywhere]">{name}</h2>
        <p className="text-muted">{t`Your account is ready to use`}</p>
        <p className="mt-1 text-xs text-muted [overflow-wrap:anywhere]">{place.join(' · ')}</p>
        <p role="status" className="text-xs font-medium text-warning">
          {edit.isNewPicture && <span className="mt-2 block">{t`Your new picture isn't saved yet.`}</span>}
        </p>
      </AvatarPicker>
    </section>
  )
}
