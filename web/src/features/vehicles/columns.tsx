import { t } from '@lingui/core/macro'
import { core, type Vehicle } from '~/core'
import { lists } from '~/core/lists'
import type { ListQuery } from '~/lib/query'
import { text } from '~/records/cells'
import type { Column } from '~/records/columns'
import { fieldColumn, nameColumn } from '~/records/extraColumns'
import { readConditions } from '~/records/filter/conditions'
import { readSorting, writeSorting } from '~/records/sorting'
import { Cover } from '~/records/vehicles/Cover'
import { mileageText } from '~/records/vehicles/mileage'
import { Plate } from '~/records/vehicles/Plate'
import { withWholePlates } from '~/records/vehicles/plates'
import { NONE } from '~/ui/Card'
import { DaysInStock, DaysText, daysOf } from './DaysInStock'
import { kind } from './kind'
import { StatusBadge } from './StatusBadge'

/** The field from which the days in stock follow. */
const DAYS = 'in_stock_on'

const columns: Column<Vehicle>[] = [
  {
    ...nameColumn(kind, 'name', t`Vehicle`, withWholePlates),
    picture: vehicle => <Cover vehicle={vehicle} className="h-8 w-11 max-lg:h-10 max-lg:w-14" />,
  },
  {
    id: 'registration_number',
    header: t`Registration number`,
    // The vehicle's name has it, too.
    isOnlyWide: true,
    whenNarrow: 'never',
    width: 160,
    cell: ({ registration_country, registration_number }) =>
      registration_number ? <Plate country={registration_country} number={registration_number} /> : NONE,
  },
  {
    id: 'stock_number',
    header: t`Stock number`,
    width: 128,
    cell: ({ stock_number }) => text(stock_number),
  },
  {
    id: 'mileage',
    header: t`Mileage`,
    isOnlyWide: true,
    whenNarrow: 'notOnPhone',
    width: 144,
    isNumber: true,
    cell: vehicle =>
      vehicle.mileage === undefined ? (
        NONE
      ) : (
        <span className="block truncate tabular-nums lg:text-right">{mileageText(vehicle)}</span>
      ),
  },
  {
    id: DAYS,
    header: t`Days in stock`,
    isReversed: true,
    width: 128,
    isNumber: true,
    cell: vehicle => <DaysInStock {...vehicle} />,
    narrowCell: vehicle => (lists && daysOf(lists, vehicle) !== undefined ? <DaysText {...vehicle} /> : NONE),
    shownInColumn: 'status',
  },
  { ...fieldColumn<Vehicle>('asking_price', t`Asking price`, 'ownMoney'), whenNarrow: 'first' },
  {
    id: 'status',
    header: t`Status`,
    width: 128,
    cell: ({ status }) => <StatusBadge status={status} />,
    narrowCell: vehicle => (
      <span className="whitespace-nowrap">
        <StatusBadge status={vehicle.status} />
        <DaysText {...vehicle} isShort isAfter />
      </span>
    ),
  },
]

/** The columns without the sort order by days in stock. */
const withoutDays: Column<Vehicle>[] = columns.map(column =>
  column.id === DAYS ? { ...column, sort: [] } : column,
)

/**
 * Returns the columns of a list with this query. Only a list of vehicles in stock can be sorted by their days, because
 * sold vehicles also have this date, but show no days. A list that is already sorted by it offers another sort order.
 */
export const columnsFor = ({ filter, sort }: Pick<ListQuery, 'filter' | 'sort'>) =>
  isOnlyStock(filter) || sort.includes(DAYS) ? columns : withoutDays

/**
 * Returns the sort order after the filter has changed to this one: without the days in stock if the list was one of
 * vehicles in stock alone, and no longer is.
 */
export const sortAfter = ({ filter: before, sort }: Pick<ListQuery, 'filter' | 'sort'>, filter: string) =>
  isOnlyStock(before) && !isOnlyStock(filter)
    ? writeSorting(
        readSorting(sort, columns).filter(({ id }) => id !== DAYS),
        columns,
      )
    : sort

/** Returns whether only vehicles in stock meet a list's filter. */
const isOnlyStock = (filter: string) =>
  readConditions(filter).some(
    ({ field, op, value }) =>
      field === 'status' &&
      (op === 'is' || op === 'in') &&
      (Array.isArray(value) ? value : [value]).every(status =>
        core.inStockStatuses().some(inStock => inStock === status),
      ),
  )
