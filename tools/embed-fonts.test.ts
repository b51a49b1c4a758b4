// Tests the fonts that every PDF contains: their glyphs, widths and size.
import { inflateSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { fontData } from '@finanzas/contract/papers/pdf/data.ts'
import { characterOf } from '@finanzas/contract/papers/pdf/text.ts'
import { fontOf, tablesOfTrueType } from './true-type.ts'

test.for(Object.values(fontData))(
  'the embedded font $name has a glyph with the stated width for every character of Windows-1252',
  ({ name, first, widths, length, file }) => {
    const bytes = inflateSync(Buffer.from(file, 'base64'))
    const font = fontOf(tablesOfTrueType(bytes))
    const wrong = widths.split(' ').flatMap((width, index) => {
      const character = characterOf(first + index)
      const glyph = font.glyphOf(character)
      // The font of the codes and signatures contains only hexadecimal digits.
      const isNeeded =
        name === 'Cousine-Regular' ? width !== '0' : !/\p{Cc}/u.test(String.fromCodePoint(character))
      const isDrawn = character === 0x20 || character === 0xa0 || font.outlineOf(glyph).length > 0
      const isRight = Math.round((font.widthOf(glyph) * 1000) / font.unitsPerEm) === Number(width)
      return isNeeded && !(glyph !== 0 && isDrawn && isRight) ? [String.fromCodePoint(character)] : []
    })

    expect(wrong).toEqual([])
    expect(bytes).toHaveLength(length)
  },
)

test('the font of codes and signatures contains every hexadecimal digit', () => {
  const { first, widths } = fontData.mono

  const digits = widths.split(' ').flatMap((width, index) => (width === '0' ? [] : [first + index]))

  expect(String.fromCharCode(...digits)).toBe('0123456789abcdef')
})
