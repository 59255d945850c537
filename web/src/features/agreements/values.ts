import type { Agreement, Direction, Leg, Vehicle } from '~/core'
import type { ListsCore } from '~/core/lists'
import { shownText } from '~/lib/words'
import { inputsOf, inputText } from '~/records/inputs'

/** A vehicle of an agreement as it is typed. */
export type LegValues = { vehicle_id: string; direction: string; price: string; vat_scheme: string }

const legValues = ({ vehicle_id, direction, price, vat_scheme }: Leg): LegValues => ({
  vehicle_id,
  direction,
  price: inputText(price),
  vat_scheme,
})

/** Returns the price that a vehicle has until the user enters another one. The asking price is what the dealer sells it for. */
const priceBeforeInput = ({ asking_price }: Vehicle, direction: Direction | undefined) =>
  direction === 'In' ? '' : inputText(asking_price)

/**
 * Returns the price of a vehicle after its direction has changed. It follows the direction, unless the user has entered
 * another one.
 */
export const priceAfterChange = (
  price: string,
  vehicle: Vehicle,
  before: Direction | undefined,
  after: Direction | undefined,
) => (price === priceBeforeInput(vehicle, before) ? priceBeforeInput(vehicle, after) : price)

/**
 * Returns the form values of a vehicle that is added. `direction` is empty if the vehicle of a new agreement goes the
 * usual way of the agreement's type, `way`.
 */
export const newLeg = (vehicle: Vehicle, direction = '', way: Direction | undefined = 'Out'): LegValues => ({
  vehicle_id: vehicle.vehicle_id,
  direction,
  price: priceBeforeInput(vehicle, way),
  vat_scheme: vehicle.vat_scheme,
})

const TERMS = [
  'deposit',
  'commission',
  'commission_percent',
  'minimum_price',
  'exclusive_until',
  'warranty',
  'warranty_months',
  'warranty_distance',
  'agreed_on',
  'delivered_on',
  'notes',
] as const

/** Returns an agreement with the values of its warranty by the names of their fields. */
const withTerms = ({ warranty: { kind, months, distance }, ...agreement }: Agreement) => ({
  ...agreement,
  warranty: kind,
  warranty_months: months,
  warranty_distance: distance,
})

/** Returns the form values of an agreement, or of a new one. */
export const inputOf = (agreement?: Agreement) => ({
  type: agreement?.type ?? 'Sales',
  // What is typed to find the customer and the contact. A deleted customer can't be found.
  customer: agreement?.customer_id ? shownText(agreement.customer_name) : '',
  customer_id: agreement?.customer_id ?? '',
  contact: '',
  contact_id: agreement?.contact_id ?? '',
  legs: (agreement?.legs ?? []).map(legValues),
  // What is typed to find a vehicle that is then added.
  vehicle: '',
  part_exchange: '',
  ...inputsOf(TERMS, agreement && withTerms(agreement), { warranty: 'None' }),
})

export type AgreementValues = ReturnType<typeof inputOf>

/**
 * Returns the form for core and the server. A name that was typed without choosing a record stands for its id, so that core
 * rejects it. Users who don't see the prices of vehicles that come in don't send them. Nor are those sent that are as in
 * the `stored` agreement: the server would reject them from a user who may not see them any more.
 */
export function toInput(
  rules: ListsCore,
  { customer, contact, vehicle, part_exchange, legs, minimum_price, ...values }: AgreementValues,
  mayReadCosts: boolean,
  stored?: Agreement,
) {
  const before = stored && inputOf(stored)
  const isStored = ({ vehicle_id, direction, price }: LegValues) =>
    before?.legs.find(leg => leg.vehicle_id === vehicle_id && leg.direction === direction)?.price === price
  const { warranty: kind, warranty_months: months, warranty_distance: distance, ...others } = values
  return {
    ...others,
    warranty: { kind, months, distance },
    customer_id: values.customer_id || customer.trim(),
    contact_id: values.contact_id || contact.trim(),
    legs: legs.map(full => {
      const { price, ...leg } = full
      const isIn = rules.legDirection(values.type, leg.direction) === 'In'
      return isIn && (!mayReadCosts || isStored(full)) ? leg : full
    }),
    ...(mayReadCosts && minimum_price !== before?.minimum_price && { minimum_price }),
  }
}

/**
 * Returns the errors of the form. A text that was typed to add a vehicle, without choosing one, stands for a leg without
 * a vehicle, so that core rejects it. That error belongs to the field with the text.
 */
export function checkForm(
  rules: ListsCore,
  values: AgreementValues,
  mayReadCosts: boolean,
  stored: Agreement | undefined,
) {
  const input = toInput(rules, values, mayReadCosts)
  const { type, vehicle, part_exchange } = values
  // The fields are hidden then, so nobody could correct them.
  const areLegsFixed = stored && rules.fixedFields(stored.state).some(({ field }) => field === 'legs')
  // Only a sale has a part-exchange.
  const typed = vehicle.trim() ? 'vehicle' : type === 'Sales' && part_exchange.trim() ? 'part_exchange' : ''
  if (!typed || areLegsFixed) return rules.checkAgreement(input, stored)
  // `In`, because core requires no price for that direction.
  const legs = [...input.legs, { vehicle_id: '', direction: 'In', price: '', vat_scheme: '' }]
  const unchosen = `legs.${input.legs.length}.vehicle_id`
  return rules
    .checkAgreement({ ...input, legs }, stored)
    .map(error => (error.field === unchosen ? { ...error, field: typed } : error))
}
