import { t } from '@lingui/core/macro'
import { useEffect, useMemo, useRef, useState } from 'react'
import { core, type Vehicle, type VehicleStatus } from '~/core'
import type { ListsCore } from '~/core/lists'
import { isConflict, messageOf } from '~/core/problem'
import { textOf } from '~/language'
import { useLastLoaded } from '~/lib/lastLoaded'
import { type Outcome, settle } from '~/lib/load'
import type { ListPage, ListQuery } from '~/lib/query'
import { today } from '~/lib/today'
import { vehicleStatusNames } from '~/lib/words'
import { readConditions, writeConditions } from '~/records/filter/conditions'
import { withConnection } from '~/records/loaders'
import { withoutCostInput } from '../costs'
import { inputOf, storedOf, withStockDay } from '../values'

/** Maximum number of vehicles that a column shows. */
const LIMIT = 30

/** Maximum number of vehicles of a page of the API, and of the pages that are loaded for a column's figures. */
const PAGE = { limit: 100, count: 10 }

/**
 * Returns whether the column of a status shows figures: those of vehicles that are in stock or expected. The number of
 * the others only grows.
 */
const hasFigures = (status: VehicleStatus) =>
  status === 'Expected' || core.inStockStatuses().some(inStock => inStock === status)

export const statuses = Object.keys(vehicleStatusNames) as VehicleStatus[]

/** The loaded vehicles by status. A status is missing while its vehicles load for the first time. */
type Columns = Partial<Record<VehicleStatus, Outcome<ListPage<Vehicle>>>>

/** The vehicles that the columns don't show, for their figures. A status is missing if they are not loaded. */
type Rest = Partial<Record<VehicleStatus, Vehicle[]>>

/** Why a vehicle could not be given a status. */
export type Refusal = { vehicle: Vehicle; status: VehicleStatus; message: string }

/** Returns a list's filter with the added condition that the vehicles have this status. */
export const filterOf = (filter: string, status: VehicleStatus) =>
  writeConditions([...readConditions(filter), { field: 'status', op: 'is', value: status }])

type Page = { page: number; limit: number }

const loadPage = (
  { search, sort, filter }: ListQuery,
  status: VehicleStatus,
  page: Page,
  signal: AbortSignal,
) => core.listRecords('vehicles', { ...page, search, sort, filter: filterOf(filter, status) }, signal)

async function loadColumn(query: ListQuery, status: VehicleStatus, signal: AbortSignal) {
  const outcome = await settle(loadPage(query, status, { page: 1, limit: LIMIT }, signal))
  return signal.aborted ? outcome : withConnection(outcome)
}

/**
 * Loads the columns, each with an outcome of its own, which is passed to `show` as it arrives. Fails as a whole if the
 * server is unreachable; such an outcome is not passed to `show`.
 */
async function loadColumns(
  query: ListQuery,
  signal: AbortSignal,
  show: (status: VehicleStatus, outcome: Outcome<ListPage<Vehicle>>) => void,
): Promise<Outcome<Columns>> {
  const load = async (status: VehicleStatus) => {
    const outcome = await loadColumn(query, status, signal)
    if (!signal.aborted && (outcome.ok || !outcome.isOffline)) show(status, outcome)
    return [status, outcome] as const
  }
  const loaded = await Promise.all(statuses.map(load))
  for (const [, outcome] of loaded) if (!outcome.ok && outcome.isOffline) return outcome
  return { ok: true, value: Object.fromEntries(loaded) }
}

/** Returns the loaded columns, or columns that all show why they failed to load. */
const columnsOf = (outcome: Outcome<Columns>): Columns =>
  outcome.ok ? outcome.value : Object.fromEntries(statuses.map(status => [status, outcome]))

/** Returns the vehicles of a status that its column doesn't show; undefined if they are too many. */
async function loadRest(
  query: ListQuery,
  status: VehicleStatus,
  { data: shown, totalItems }: ListPage<Vehicle>,
  signal: AbortSignal,
): Promise<Vehicle[] | undefined> {
  const count = Math.ceil(totalItems / PAGE.limit)
  if (totalItems === shown.length || count > PAGE.count) return
  const all: Vehicle[] = []
  for (let page = 1; page <= count; page++)
    all.push(...(await loadPage(query, status, { page, limit: PAGE.limit }, signal)).data)
  return without(all, shown)
}

/** Returns those of `all` that are not in `some`. */
function without(all: Vehicle[], some: Vehicle[]): Vehicle[] {
  const ids = new Set(some.map(({ vehicle_id }) => vehicle_id))
  return all.filter(({ vehicle_id }) => !ids.has(vehicle_id))
}

/** Returns the columns with the rows that `edit` returns. Columns whose rows it returns as they are stay the same. */
function withRows(columns: Columns, edit: (rows: Vehicle[], status: VehicleStatus) => Vehicle[]): Columns {
  const edited = { ...columns }
  for (const status of statuses) {
    const column = columns[status]
    if (!column?.ok) continue
    const { data, totalItems } = column.value
    const rows = edit(data, status)
    if (rows === data) continue
    const value = { ...column.value, data: rows, totalItems: totalItems + rows.length - data.length }
    edited[status] = { ok: true, value }
  }
  return edited
}

/**
 * Returns the columns with the vehicle moved to the first place of the column `to`, with the version that the move will
 * give it.
 */
function withMoved(columns: Columns, vehicle: Vehicle, to: VehicleStatus): Columns {
  const moved = { ...vehicle, status: to, version: vehicle.version + 1 }
  return withRows(columns, (rows, status) => {
    const others = without(rows, [vehicle])
    if (status === to) return [moved, ...others]
    return others.length < rows.length ? others : rows
  })
}

/**
 * Returns the columns with each vehicle only where it is newest. Those that load while it changes column may contain it
 * twice.
 */
function withoutOutdated(columns: Columns): Columns {
  const newest = new Map<string, Vehicle>()
  for (const status of statuses) {
    const column = columns[status]
    for (const row of column?.ok ? column.value.data : [])
      if (row.version > (newest.get(row.vehicle_id)?.version ?? 0)) newest.set(row.vehicle_id, row)
  }
  const isNewest = (row: Vehicle) => newest.get(row.vehicle_id) === row
  return withRows(columns, rows => (rows.every(isNewest) ? rows : rows.filter(isNewest)))
}

type Settings = {
  query: ListQuery
  rules: ListsCore | undefined
  /** A value that changes whenever the list has been loaded again. Then the columns are loaded again, too. */
  version: unknown
  /** Loads the list again. */
  refresh: () => void
}

/** Returns the vehicles that the list finds, by status, the figures of the columns, and `move`, which changes a status. */
export function useBoard({ query, rules, version, refresh }: Settings) {
  const [received, setColumns] = useState<Columns>({})
  const columns = useMemo(() => withoutOutdated(received), [received])
  const [loaded, setLoaded] = useState<{ query: ListQuery; outcome: Outcome<Columns> }>()
  const [rest, setRest] = useState<Rest>({})
  const [refusal, setRefusal] = useState<Refusal>()
  const [said, setSaid] = useState('')
  // The last move of each vehicle: what it saved, or nothing if it failed.
  const moves = useRef(new Map<string, Promise<Vehicle | undefined>>())
  const { search, sort, filter } = query
  const found = useRef('')
  const { outcome } = useLastLoaded({ outcome: loaded?.outcome, stale: loaded?.query !== query }, 'board')
  useEffect(() => {
    // Columns that have loaded are already shown, and a card may have moved since.
    const isShown = outcome?.ok && outcome === loaded?.outcome
    if (outcome && !isShown) setColumns(columnsOf(outcome))
  }, [outcome, loaded])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the columns don't depend on the query's page and view.
  useEffect(() => {
    const controller = new AbortController()
    const { signal } = controller
    // The figures of another search or filter would be wrong.
    const finds = JSON.stringify([search, filter])
    if (found.current !== finds) setRest({})
    found.current = finds
    const show = (status: VehicleStatus, outcome: Outcome<ListPage<Vehicle>>) => {
      setColumns(columns => ({ ...columns, [status]: outcome }))
      if (!outcome.ok || !hasFigures(status)) return
      // Without them the column has no figures, so a failure is no reason to disturb.
      void loadRest(query, status, outcome.value, signal).then(
        vehicles => !signal.aborted && setRest(rest => ({ ...rest, [status]: vehicles })),
        () => !signal.aborted && setRest(rest => ({ ...rest, [status]: undefined })),
      )
    }
    void loadColumns(query, signal, show).then(outcome => {
      if (!signal.aborted) setLoaded({ query, outcome })
    })
    return () => controller.abort()
  }, [search, sort, filter, version])

  /** Sends a move after the one before it, whose version it needs. Returns the saved vehicle; nothing if it was not moved. */
  const send = async (
    rules: ListsCore,
    vehicle: Vehicle,
    status: VehicleStatus,
    before?: Promise<Vehicle | undefined>,
  ) => {
    const saved = before ? await before : vehicle
    // The card is no longer where this move started.
    if (!saved) return
    const newest = saved.version >= vehicle.version ? saved : vehicle
    const { vehicle_id, version, name } = newest
    try {
      const form = withStockDay(rules, { ...inputOf(newest), status }, newest)
      const moved = await core.updateRecord('vehicles', vehicle_id, { ...withoutCostInput(form), version })
      setSaid(t`${name}: ${vehicleStatusNames[status]}`)
      return moved
    } catch (thrown) {
      const message = isConflict(thrown)
        ? t`Someone else changed this vehicle. The board shows it as it is now.`
        : messageOf(thrown, t`Failed to update vehicle.`)
      setRefusal({ vehicle, status, message })
    }
  }

  /**
   * Moves a vehicle to another column. Returns the columns that load again to show it in its place: that one, or both if
   * it goes back; none if the move was not sent, or another one has followed.
   */
  const move = async (vehicle: Vehicle, status: VehicleStatus): Promise<VehicleStatus[]> => {
    if (!rules || vehicle.status === status) return []
    setRefusal(undefined)
    const form = { ...inputOf(vehicle), status, version: vehicle.version }
    const errors = rules.checkVehicle(form, storedOf(vehicle), today())
    const problem = errors.find(({ field }) => field === 'status')
    if (problem) {
      setRefusal({ vehicle, status, message: textOf(problem.message) })
      return []
    }
    setColumns(columns => withMoved(columns, vehicle, status))
    const id = vehicle.vehicle_id
    const sent = send(rules, vehicle, status, moves.current.get(id))
    moves.current.set(id, sent)
    const saved = await sent
    // The list is loaded again after the last move, so that the card doesn't jump back before.
    if (moves.current.get(id) !== sent) return []
    if (!saved) moves.current.delete(id)
    refresh()
    return saved ? [status] : [vehicle.status, status]
  }

  /** Returns the figures of a column; undefined if they are not known, or if it shows none. */
  const figuresOf = (status: VehicleStatus) => {
    const column = columns[status]
    if (!column?.ok || !rules || !hasFigures(status)) return
    const { data, totalItems } = column.value
    const all = [...data, ...without(rest[status] ?? [], data)]
    return all.length === totalItems ? rules.columnFigures(all, today()) : undefined
  }
  return { columns, figuresOf, move, refusal, said, dismiss: () => setRefusal(undefined) }
}
