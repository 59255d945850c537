import { useLoaderData } from 'react-router'
import { useLoaded } from '~/lib/load'
import { paths } from '~/lib/paths'
import { listAddress } from '~/lib/query'
import { useTitle } from '~/lib/title'
import { Page } from '~/ui/Page'
import { SearchBox } from '~/ui/SearchBox'
import { CorporationList } from './CorporationList'
import type { corporationsLoader } from './route'

/** Every corporation of the platform. */
export function CorporationsPage() {
  useTitle('Corporations')
  const { query, coming } = useLoaderData<typeof corporationsLoader>()
  const loaded = useLoaded(coming)
  return (
    <Page title="Corporations" subtitle="Manage your corporations">
      <section aria-label="Corporations" className="card overflow-hidden">
        <SearchBox
          label="Search corporations"
          search={query.search}
          to={search => listAddress(paths.corporations, { page: 1, search })}
        />
        <CorporationList query={query} loaded={loaded} />
      </section>
    </Page>
  )
}
