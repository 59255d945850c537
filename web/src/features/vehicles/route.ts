import type { RouteObject } from 'react-router'
import { pageRoute } from '~/lib/pageRoute'
import { vehicleLoader, vehiclesLoader } from './loader'

export const routes: RouteObject[] = [
  pageRoute('vehicles', async () => (await import('./VehiclesPage')).VehiclesPage, vehiclesLoader),
  pageRoute('vehicles/:id', async () => (await import('./VehiclePage')).VehiclePage, vehicleLoader),
]
