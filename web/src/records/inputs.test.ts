import { expect, test } from 'vitest'
import { inputsOf } from './inputs'

type Car = { make: string; mileage?: number; colour?: string }

const inputOf = (car?: Car) => inputsOf(['make', 'mileage', 'colour'], car, { colour: 'Blue' })

test('the inputs of a record have its values as texts, and are empty without one', () => {
  expect(inputOf({ make: 'Volvo', mileage: 0 })).toEqual({ make: 'Volvo', mileage: '0', colour: '' })
})

test('the inputs of a new record have the initial values', () => {
  expect(inputOf()).toEqual({ make: '', mileage: '', colour: 'Blue' })
})

test('an amount that is not whole has two decimals', () => {
  expect(inputOf({ make: 'Volvo', mileage: 18995.5 }).mileage).toBe('18995.50')
})
