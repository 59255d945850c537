import { t } from '@lingui/core/macro'
import { X } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { type UseFormReturn, useFieldArray } from 'react-hook-form'
import type { Agreement, AgreementType, Vehicle, Direction as Way } from '~/core'
import type { ListsCore } from '~/core/lists'
import { ownCurrency } from '~/lib/format'
import { paths } from '~/lib/paths'
import { useCanRead, usePermissions } from '~/lib/session'
import { vatSchemeNames } from '~/lib/words'
import { Cover } from '~/records/vehicles/Cover'
import { useMayReadCosts } from '~/records/vehicles/costs'
import { Plate } from '~/records/vehicles/Plate'
import { choicesOf } from '~/ui/choices'
import { focusNeighbor } from '~/ui/focusNeighbor'
import { IconButton } from '~/ui/IconButton'
import { SelectField } from '~/ui/SelectField'
import { TextField } from '~/ui/TextField'
import { Direction } from './Direction'
import { kind } from './kind'
import { LegAdder } from './LegAdder'
import { NoVehicleAccess } from './NoVehicleAccess'
import { type AgreementValues, newLeg, priceAfterChange } from './values'

type Props = {
  form: UseFormReturn<AgreementValues>
  rules: ListsCore
  /** The stored agreement; undefined for a new one. */
  agreement: Agreement | undefined
  type: AgreementType
  /** The vehicles that are known so far. */
  vehicles: Vehicle[]
  /** The vehicles and their prices can't be changed. */
  disabled: boolean
  /** A vehicle was chosen. */
  onVehicle: (vehicle: Vehicle) => void
}

const schemes = choicesOf(vatSchemeNames)

/** The vehicles of an agreement, in a form. */
export function LegsField({ form, rules, agreement, type, vehicles, disabled, onVehicle }: Props) {
  const { control } = form
  const { fields, append, remove } = useFieldArray({ control, name: 'legs' })
  const mayRead = useCanRead('vehicles', paths.vehicles)
  const mayCreate = usePermissions(paths.vehicles).can_create === true
  const mayReadCosts = useMayReadCosts()
  const adder = useRef<HTMLInputElement>(null)
  const usual = rules.legDirection(type, '')
  const usualBefore = useRef(usual)
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when the usual direction changes with the type.
  useEffect(() => {
    const before = usualBefore.current
    usualBefore.current = usual
    if (before === usual) return
    for (const [index, leg] of form.getValues('legs').entries()) {
      const vehicle = vehicles.find(({ vehicle_id }) => vehicle_id === leg.vehicle_id)
      if (leg.direction || !vehicle) continue
      form.setValue(`legs.${index}.price`, priceAfterChange(leg.price, vehicle, before, usual))
    }
  }, [usual])
  const add = (vehicle: Vehicle, direction: Way | '') => {
    onVehicle(vehicle)
    const way = rules.legDirection(type, direction)
    const isPriceHidden = way === 'In' && !mayReadCosts
    // For the server, the empty direction of a stored agreement's vehicle is the stored one.
    append(newLeg(vehicle, agreement ? way : direction, way), {
      focusName: `legs.${fields.length}.${isPriceHidden ? 'vat_scheme' : 'price'}`,
    })
  }
  /** Returns the name that the stored agreement has for a vehicle. */
  const storedName = (id: string) => agreement?.legs.find(({ vehicle_id }) => vehicle_id === id)?.name
  const taken = fields.map(({ vehicle_id }) => vehicle_id)
  const draft = kind.draftOf(agreement?.agreement_id)
  const adding = { control, rules, taken, mayCreate }
  const errors = form.formState.errors.legs
  const error = errors?.root?.message ?? errors?.message
  return (
    <fieldset className="mt-1 mb-3 min-w-0 sm:col-span-2">
      <legend className="text-sm font-medium">{t`Vehicles`}</legend>
      {fields.map((leg, index) => {
        const vehicle = vehicles.find(({ vehicle_id }) => vehicle_id === leg.vehicle_id)
        const name = (vehicle?.name ?? storedName(leg.vehicle_id)) || t`Vehicle ${index + 1}`
        const way = rules.legDirection(type, leg.direction)
        return (
          <fieldset
            key={leg.id}
            className="relative mt-2 grid min-w-0 grid-cols-[repeat(auto-fit,minmax(min(100%,10rem),1fr))] gap-x-3 gap-y-1 rounded-lg border border-line p-3 sm:grid-cols-2 lg:grid-cols-[minmax(0,1fr)_11rem_13rem_auto]"
          >
            <legend className="sr-only">{name}</legend>
            <div className="flex min-w-0 items-center gap-3 max-lg:col-span-full max-lg:mb-2 max-lg:pr-10">
              <Cover vehicle={vehicle ?? { photos: [] }} className="h-12 w-16" />
              <div className="min-w-0">
                {way && <Direction way={way} />}
                <p className="truncate font-medium" title={name}>
                  {name}
                </p>
                {vehicle && (
                  <Plate country={vehicle.registration_country} number={vehicle.registration_number} />
                )}
              </div>
            </div>
            {way === 'In' && !mayReadCosts ? (
              <span className="max-lg:hidden" />
            ) : (
              <TextField
                control={control}
                name={`legs.${index}.price`}
                label={t({ message: 'Price', context: 'vehicle' })}
                unit={ownCurrency()}
                inputMode="decimal"
                autoComplete="off"
                disabled={disabled}
              />
            )}
            <SelectField
              control={control}
              name={`legs.${index}.vat_scheme`}
              label={t`VAT scheme`}
              choices={schemes}
              disabled={disabled}
            />
            {!disabled && (
              <IconButton
                icon={<X aria-hidden className="size-4" />}
                label={t`Remove ${name}`}
                className="self-start justify-self-end max-lg:absolute max-lg:top-1 max-lg:right-1 lg:mt-6.5"
                onClick={({ currentTarget }) => {
                  const hasFocused = focusNeighbor(currentTarget)
                  // At once, because it replaces the field that adds a vehicle.
                  flushSync(() => remove(index))
                  if (!hasFocused) adder.current?.focus()
                }}
              />
            )}
          </fieldset>
        )
      })}
      {error && (
        <p role="alert" className="mt-2 text-xs text-danger">
          {error}
        </p>
      )}
      {!mayRead && !disabled && <NoVehicleAccess className="mt-2" />}
      {mayRead && !disabled && (
        <div className="mt-3 grid gap-x-4 gap-y-3 sm:grid-cols-2">
          <LegAdder
            key={`vehicle ${fields.length}`}
            inputRef={element => {
              adder.current = element
            }}
            {...adding}
            name="vehicle"
            label={t`Add vehicle`}
            help={t`Plate, VIN, make or model.`}
            isTakenIn={usual === 'In'}
            draft={`${draft}vehicle`}
            onChoose={vehicle => add(vehicle, '')}
          />
          {type === 'Sales' && (
            <LegAdder
              key={`part-exchange ${fields.length}`}
              {...adding}
              name="part_exchange"
              label={t`Add part-exchange`}
              help={
                mayCreate
                  ? t`A vehicle that you take in.`
                  : t`A vehicle that you take in. Add it under Vehicles first.`
              }
              isTakenIn
              draft={`${draft}part_exchange`}
              onChoose={vehicle => add(vehicle, 'In')}
            />
          )}
        </div>
      )}
    </fieldset>
  )
}
