import { expect, test } from 'vitest'
import { lineOf } from './form.ts'

test.for<[string, string]>([
  ['  Taxi a casa ', 'Taxi a casa'],
  ['Taxi\ta casa\t12.500', 'Taxi a casa 12.500'],
  ['Taxi \u00a0 a\r\ncasa', 'Taxi a casa'],
  ['Cafe\u0301', 'Café'],
])('the field text %j is read as the line %j', ([typed, line]) => {
  const fields = new FormData()
  fields.set('description', typed)

  expect(lineOf(fields, 'description')).toBe(line)
})
