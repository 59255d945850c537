import { Tooltip } from '@base-ui/react/tooltip'
import { t } from '@lingui/core/macro'
import { Menu as Bars } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import { Link, Outlet, useLocation, useNavigation } from 'react-router'
import { core } from '~/core'
import { paths } from '~/lib/paths'
import { localizeResource } from '~/lib/resources'
import { useSession } from '~/lib/session'
import { site } from '~/lib/site'
import { CorporationBrand } from '~/ui/Brand'
import { cx } from '~/ui/cx'
import { iconButtonClass } from '~/ui/iconButtonClass'
import { mayOpenTrash } from './accountPages'
import { ForbiddenPage } from './ForbiddenPage'
import { clearUserData } from './guard'
import { MainNav } from './MainNav'
import { NavigationPanel } from './NavigationPanel'
import { NewVersion } from './NewVersion'
import { OfflineBar } from './OfflineBar'
import { PaletteButton } from './PaletteButton'
import { ProfileMenu } from './ProfileMenu'
import { SchemeMenu } from './SchemeMenu'
import { SignOutProvider } from './SignOut'
import { TabBar } from './TabBar'
import { UpgradeBanner } from './UpgradeBanner'
import { UpgradePage } from './UpgradePage'
import { useFreshSession } from './useFreshSession'
import { useScrollAndFocus } from './useScrollAndFocus'

export function Shell() {
  return (
    <Tooltip.Provider delay={400}>
      <SignOutProvider>
        <Frame />
      </SignOutProvider>
    </Tooltip.Provider>
  )
}

function Frame() {
  const { profile, resources } = useSession()
  const { pathname } = useLocation()
  const localized = useMemo(() => resources.map(localizeResource), [resources])
  const navigation = useMemo(() => core.navigation(localized), [localized])
  const upgrade = useMemo(() => core.moduleToUpgrade(localized, pathname), [localized, pathname])
  const closed = useMemo(() => core.moduleWithoutAccess(localized, pathname), [localized, pathname])
  const isTrashClosed = useMemo(
    () => pathname === paths.trash && !mayOpenTrash(resources),
    [resources, pathname],
  )
  const main = useScrollAndFocus()
  const moving = useNavigation().state === 'loading'
  useFreshSession((upgrade ?? closed) !== undefined || isTrashClosed)
  useEffect(() => clearUserData, [])
  const brand = { name: site.brand, corporation: profile.corp.corp_name, logo: profile.logo }
  return (
    <div className="flex min-h-dvh flex-col pb-(--tab-bar) print:pb-0">
      <a
        href="#main"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-lg bg-fill px-4 py-2.5 font-medium text-on-fill focus:translate-y-0 print:hidden"
      >
        {t`Skip to content`}
      </a>
      <header className="sticky top-0 z-30 border-b border-line bg-card low:relative print:hidden">
        {/* On a phone it has several lines only if the text is very large. */}
        <div className="mx-auto flex min-h-14 w-full max-w-420 low:min-h-12 items-center gap-2 px-4 max-md:flex-wrap md:gap-3 md:px-6 lg:gap-6">
          <NavigationPanel
            brand={brand}
            navigation={navigation}
            side="left"
            trigger={
              <button
                type="button"
                aria-label={t`Open navigation`}
                className={cx(iconButtonClass, '-ml-2 md:hidden')}
              >
                <Bars aria-hidden className="size-5" />
              </button>
            }
          />
          <Link
            to={paths.home}
            // Reserves the logo's width, so that the navigation doesn't move when the logo loads.
            className={cx(
              'flex h-11 min-w-11 items-center rounded-lg max-md:flex-1 max-md:basis-0',
              profile.logo && 'md:w-20 md:shrink-0 lg:w-44',
            )}
          >
            <CorporationBrand {...brand} isShort />
            <span className="sr-only">{t`, home`}</span>
          </Link>
          <MainNav entries={navigation.main} />
          {/* Shrinks before the brand and the navigation, until only some letters of the user's name and e-mail are
             left. */}
          <div className="ml-auto flex shrink-0 items-center gap-1 md:gap-2 lg:min-w-66 lg:shrink-[1000] xl:min-w-112">
            <PaletteButton />
            <SchemeMenu />
            <ProfileMenu entries={navigation.profile} />
          </div>
        </div>
        {moving && (
          <div
            aria-hidden
            className="absolute inset-x-0 -bottom-px h-0.5 animate-pulse bg-accent motion-reduce:animate-none"
          />
        )}
        <OfflineBar />
      </header>
      <NewVersion />
      <UpgradeBanner feature={upgrade} onClose={() => main.current?.focus({ preventScroll: true })} />
      <main id="main" ref={main} tabIndex={-1} className="flex flex-1 flex-col outline-none">
        {upgrade ? (
          <UpgradePage feature={upgrade} />
        ) : closed ? (
          <ForbiddenPage title={closed} />
        ) : isTrashClosed ? (
          <ForbiddenPage
            title={t`Trash`}
            audience={t`This page is for users who may delete records. Ask an administrator of your corporation.`}
          />
        ) : (
          <Outlet />
        )}
      </main>
      <TabBar brand={brand} navigation={navigation} />
    </div>
  )
}
