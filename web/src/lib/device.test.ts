import { expect, test } from 'vitest'
import { deviceName, translateDevice } from './device'

test.each([
  [
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0',
    'Edge on Windows',
  ],
  [
    'Mozilla/5.0 (Linux; Android 16; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Mobile Safari/537.36',
    'Chrome on Android',
  ],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1',
    'Safari on iOS',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:144.0) Gecko/20100101 Firefox/144.0',
    'Firefox on macOS',
  ],
  ['curl/8', 'Browser on an unknown system'],
])('names the device %s: %s', (agent, name) => {
  expect(deviceName(agent)).toBe(name)
})

test.each([
  'Chrome on Linux',
  'Samsung Internet on Android',
  'Browser on an unknown system',
  'Chrome',
  'Chrome on Linux on Mars',
])('in English the name %s stays', name => {
  expect(translateDevice(name)).toBe(name)
})
