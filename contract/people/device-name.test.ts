import { expect, test } from 'vitest'
import { deviceName } from './device-name.ts'

test.each([
  ['X11; Linux x86_64', 'Chrome/140.0 Safari/537.36', 'Chrome en Linux'],
  ['Windows NT 10.0; Win64; x64', 'Chrome/140.0 Safari/537.36 Edg/140.0', 'Edge en Windows'],
  [
    'Linux; Android 15',
    'SamsungBrowser/28.0 Chrome/130.0 Mobile Safari/537.36',
    'Samsung Internet en Android',
  ],
  ['iPhone; CPU iPhone OS 18_0 like Mac OS X', 'CriOS/140.0 Mobile/15E148 Safari/604.1', 'Chrome en iPhone'],
  ['Macintosh; Intel Mac OS X 10_15_7', 'Version/18.0 Safari/605.1.15', 'Safari en Mac'],
  ['Windows NT 10.0; Win64; x64; rv:140.0', 'Gecko/20100101 Firefox/140.0', 'Firefox en Windows'],
  ['another', 'curl/8.5.0', 'desconocido'],
])('the browser of (%s) %s is named %s', (system, browser, name) => {
  expect(deviceName(`Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${browser}`)).toBe(name)
})
