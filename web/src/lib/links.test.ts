import { expect, test } from 'vitest'
import { telUrl } from './links'

test.each([
  ['+46 70 123 45 67', 'tel:+46701234567'],
  ['070-123 45 67', 'tel:0701234567'],
  ['(08) 123 456', 'tel:08123456'],
  ['Tel: +46 (0)70-123 45 67', 'tel:+46701234567'],
  ['+46 (0)70-123 45 67', 'tel:+46701234567'],
  ['0046 (0)70-123 45 67', 'tel:0046701234567'],
  ['(+46) 70 123', 'tel:+4670123'],
  ['(0)70-123 45 67', 'tel:0701234567'],
  ['070-1234567 / 08-123456', 'tel:0701234567'],
  ['070-1234567, 08-123456', 'tel:0701234567'],
  ['070-1234567; 08-123456', 'tel:0701234567'],
  ['08-123 456 ext. 12', 'tel:08123456'],
  ['08-123 456 växel', 'tel:08123456'],
])('the number that "%s" calls is %s', (text, url) => {
  expect(telUrl(text)).toBe(url)
})

test.each(['', '-', 'by email only'])('the text "%s" calls no number', text => {
  expect(telUrl(text)).toBeUndefined()
})
