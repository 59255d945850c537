import { useState } from 'react'
import { core, type Profile, type Theme } from '~/core'
import { Unsaved } from '~/ui/Unsaved'
import { LanguageCard } from './LanguageCard'
import { LogoCard } from './LogoCard'
import { OrganizationCard } from './OrganizationCard'
import { PasswordAndDeletionCard } from './PasswordAndDeletionCard'
import { PersonCard } from './PersonCard'
import { ProfileForm } from './ProfileForm'
import { ProviderCard } from './ProviderCard'
import { ThemeCard } from './ThemeCard'
import { TradeCard } from './TradeCard'
import { useEdit } from './useEdit'

export function Settings({ profile, theme }: { profile: Profile; theme: Theme }) {
  const edit = useEdit(profile)
  // Discards the changes, once the user has confirmed that.
  const [discard, setDiscard] = useState<() => void>()
  const [isTradeDirty, setTradeDirty] = useState(false)
  const [isLogoDirty, setLogoDirty] = useState(false)
  const { corp_name } = profile.corp
  const account = (
    <>
      <LanguageCard />
      <ProviderCard connected={profile.connected === true} />
      <PasswordAndDeletionCard profile={profile} />
    </>
  )
  // The cards of an administrator fill the right column, those of the account are then in the left one.
  const isAdministrator = core.isAdministrator(profile.type)
  return (
    <div className="grid gap-4">
      <PersonCard profile={profile} edit={edit} />
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <div className="grid min-w-0 gap-4">
          <ProfileForm edit={edit} onDiscard={() => setDiscard(() => edit.discard)} />
          <OrganizationCard organization={profile.organization ?? {}} />
          {isAdministrator && account}
        </div>
        <div className="grid min-w-0 gap-4">
          {isAdministrator ? (
            <>
              <TradeCard
                corporation={profile.corp}
                onDirty={setTradeDirty}
                onDiscard={chosen => setDiscard(() => chosen)}
              />
              <ThemeCard initial={theme} corporation={corp_name} />
              <LogoCard logo={profile.logo} corporation={corp_name} onDirty={setLogoDirty} />
            </>
          ) : (
            account
          )}
        </div>
      </div>
      <Unsaved
        dirty={edit.isDirty || isTradeDirty || isLogoDirty}
        // New pictures and the settings of the corporation are in no draft, so the user is asked before a reload.
        isDraftStored={!edit.isNewPicture && !isTradeDirty && !isLogoDirty}
        isAsking={discard !== undefined}
        onKeep={() => setDiscard(undefined)}
        onDiscard={() => {
          setDiscard(undefined)
          discard?.()
        }}
        onLeave={edit.discard}
      />
    </div>
  )
}
