import { expect, test } from 'vitest'
import { splitSource } from './source-text.ts'

test.each([
  ['a comment is not code', 'a() // b()', 'a()       ', '    // b()'],
  [
    'an address in a string does not open a comment',
    "f('http://x') // y",
    "f('        ')     ",
    '              // y',
  ],
  [
    'a quote in a regular expression opens no string',
    "/'/.test(x) // y",
    '/ /.test(x)     ',
    '            // y',
  ],
  ['a division is not a regular expression', 'a / b // c', 'a / b     ', '      // c'],
  [
    'an escaped quote does not end its string',
    String.raw`f('it\'s') // y`,
    "f('     ')     ",
    '           // y',
  ],
  [
    'an apostrophe in JSX text ends with its line',
    "<p>it's</p>\nb // y",
    "<p>it'    >\nb     ",
    '           \n  // y',
  ],
])('%s', (_, text, code, comments) => {
  expect(splitSource(text)).toEqual({ code, comments })
})

test('line numbers survive in both views', () => {
  const text = 'a\n/* b\n c */\n`d\n e`\nf'
  const { code, comments } = splitSource(text)

  expect(code.split('\n')).toHaveLength(6)
  expect(code.split('\n')[5]).toBe('f')
  expect(comments.split('\n')[2]).toBe(' c */')
})
