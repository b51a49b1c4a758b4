// `node tools/embed-fonts.ts ARIMO COUSINE` writes contract/papers/pdf/data.ts from the `files` folders of the
// packages @fontsource/arimo and @fontsource/cousine. The PDF files that a bank has issued contain the bytes of these
// fonts. A change of these bytes makes issued files unreadable, like a change of the format (docs/decisions/0074).
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { deflateSync } from 'node:zlib'
import { characterOf } from '@finanzas/contract/papers/pdf/text.ts'
import { type Glyph, embeddable, fontOf, tablesOfWoff } from './true-type.ts'
import { root } from './tree.ts'

const [, , arimo = '', cousine = ''] = process.argv
const standardCodes = Array.from({ length: 0x100 - 0x20 }, (_, index) => 0x20 + index)
const hexDigits = Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))

const fonts = {
  regular: await embedded('Arimo-Regular', standardCodes, [
    path.join(arimo, 'arimo-latin-400-normal.woff'),
    path.join(arimo, 'arimo-latin-ext-400-normal.woff'),
  ]),
  bold: await embedded('Arimo-Bold', standardCodes, [
    path.join(arimo, 'arimo-latin-700-normal.woff'),
    path.join(arimo, 'arimo-latin-ext-700-normal.woff'),
  ]),
  mono: await embedded('Cousine-Regular', hexDigits, [path.join(cousine, 'cousine-latin-400-normal.woff')]),
}
const text = `/**
 * The fonts and the colour profile that every PDF of this bank contains. \`tools/embed-fonts.ts\` writes this file.
 * Each \`file\` is a TrueType font that is compressed with zlib and encoded in base64. \`widths\` lists the widths of
 * the Windows-1252 characters from the code \`first\` on, in thousandths of the font size.
 *
 * Arimo and Cousine: Copyright 2020 The Arimo Project Authors (https://github.com/googlefonts/arimo), Copyright 2026
 * The Cousine Project Authors (https://github.com/googlefonts/cousine), under the SIL Open Font License 1.1
 * (OFL.txt). These copies contain only the characters of Windows-1252, without instructions.
 */
export const fontData = ${JSON.stringify(fonts, null, 2)} as const

/** The colour space sRGB as an ICC profile of version 4.2, in base64. */
export const colourProfile = '${colourProfile().toString('base64')}'
`
await writeFile(path.join(root, 'contract/papers/pdf/data.ts'), text)

async function embedded(name: string, codes: readonly number[], files: readonly string[]) {
  const sources = await Promise.all(files.map(async (file) => fontOf(tablesOfWoff(await readFile(file)))))
  const [font] = sources
  if (font === undefined) throw new Error('No font.')
  const glyphs = codes.map((code): Glyph => {
    const character = characterOf(code)
    const source = sources.find((each) => each.glyphOf(character) !== 0)
    if (source !== undefined) return { character, source, id: source.glyphOf(character) }
    // Eight of the codes are control characters without a glyph.
    if (/\p{Cc}/u.test(String.fromCodePoint(character))) return { character, source: font, id: 0 }
    throw new Error(`${name} has no ${String.fromCodePoint(character)}.`)
  })
  const bytes = embeddable(font, glyphs)
  const scaled = (units: number) => Math.round((units * 1000) / font.unitsPerEm)
  const [first = 0, last = 0] = [codes[0], codes.at(-1)]
  const widthOf = new Map(glyphs.map(({ source, id }, index) => [codes[index], scaled(source.widthOf(id))]))
  return {
    name,
    first,
    widths: Array.from({ length: last - first + 1 }, (_, index) => widthOf.get(first + index) ?? 0).join(' '),
    box: font.box.map(scaled).join(' '),
    ascent: scaled(font.ascent),
    descent: scaled(font.descent),
    length: bytes.length,
    file: deflateSync(bytes, { level: 9 }).toString('base64'),
  }
}

/** Writes sRGB (IEC 61966-2-1) as an ICC profile: the three colorants adapted to D50, and the transfer function. */
function colourProfile(): Buffer {
  const words = (...numbers: number[]) => {
    const buffer = Buffer.alloc(numbers.length * 4)
    for (const [index, number] of numbers.entries()) buffer.writeInt32BE(number | 0, index * 4)
    return buffer
  }
  const tag = (type: string, ...body: Buffer[]) => Buffer.concat([Buffer.from(type), words(0), ...body])
  const words16 = (value: string) => Buffer.from(value, 'utf16le').swap16()
  const sentence = (value: string) =>
    tag('mluc', words(1, 12), Buffer.from('enUS'), words(value.length * 2, 28), words16(value))
  const curve = tag('para', Buffer.from([0, 3, 0, 0]), words(0x26666, 0xf2a7, 0xd59, 0x13d0, 0xa5b))
  const tags: readonly (readonly [string, Buffer])[] = [
    ['desc', sentence('sRGB')],
    ['cprt', sentence('No copyright, use freely')],
    ['wtpt', tag('XYZ ', words(0xf6d6, 0x10000, 0xd32d))],
    [
      'chad',
      tag('sf32', words(0x10c42, 0x5de, 0xfffff325, 0x793, 0xfd90, 0xfffffba1, 0xfffffda2, 0x3dc, 0xc06e)),
    ],
    ['rXYZ', tag('XYZ ', words(0x6fa0, 0x38f5, 0x390))],
    ['gXYZ', tag('XYZ ', words(0x6297, 0xb787, 0x18d9))],
    ['bXYZ', tag('XYZ ', words(0x249f, 0xf84, 0xb6c4))],
    ['rTRC', curve],
    ['gTRC', curve],
    ['bTRC', curve],
  ]
  const bodies: Buffer[] = []
  const offsets = new Map<Buffer, number>()
  let end = 128 + 4 + tags.length * 12
  for (const [, body] of tags) {
    if (offsets.has(body)) continue
    offsets.set(body, end)
    const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)])
    bodies.push(padded)
    end += padded.length
  }
  const head = Buffer.concat([
    words(end, 0, 0x4200000),
    Buffer.from('mntrRGB XYZ '),
    Buffer.from([0x07, 0xea, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]),
    Buffer.from('acsp'),
    words(0, 0, 0, 0, 0, 0, 0, 0xf6d6, 0x10000, 0xd32d),
    Buffer.alloc(48),
  ])
  const directory = tags.map(([name, body]) =>
    Buffer.concat([Buffer.from(name), words(offsets.get(body) ?? 0, body.length)]),
  )
  return Buffer.concat([head, words(tags.length), ...directory, ...bodies])
}
