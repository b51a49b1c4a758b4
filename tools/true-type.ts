/** Reads TrueType fonts, and writes a smaller font with some of the glyphs for a PDF. */
import { inflateSync } from 'node:zlib'

export type Font = {
  unitsPerEm: number
  box: readonly number[]
  ascent: number
  descent: number
  tables: ReadonlyMap<string, Buffer>
  /** Returns the glyph of a Unicode character, or 0. */
  glyphOf(character: number): number
  widthOf(glyph: number): number
  bearingOf(glyph: number): number
  outlineOf(glyph: number): Buffer
}

export type Glyph = { character: number; source: Font; id: number }

export function fontOf(tables: ReadonlyMap<string, Buffer>): Font {
  const table = (name: string) => {
    const found = tables.get(name)
    if (found === undefined) throw new Error(`The font has no table ${name}.`)
    return found
  }
  const [head, hhea, hmtx, loca, glyf] = [
    table('head'),
    table('hhea'),
    table('hmtx'),
    table('loca'),
    table('glyf'),
  ]
  const isLong = head.readInt16BE(50) === 1
  const offsetOf = (glyph: number) =>
    isLong ? loca.readUInt32BE(glyph * 4) : loca.readUInt16BE(glyph * 2) * 2
  const metrics = hhea.readUInt16BE(34)
  const characters = charactersOf(table('cmap'))
  return {
    unitsPerEm: head.readUInt16BE(18),
    box: [36, 38, 40, 42].map((offset) => head.readInt16BE(offset)),
    ascent: hhea.readInt16BE(4),
    descent: hhea.readInt16BE(6),
    tables,
    glyphOf: (character) => characters.get(character) ?? 0,
    widthOf: (glyph) => hmtx.readUInt16BE(Math.min(glyph, metrics - 1) * 4),
    bearingOf: (glyph) =>
      hmtx.readInt16BE(glyph < metrics ? glyph * 4 + 2 : metrics * 4 + (glyph - metrics) * 2),
    outlineOf: (glyph) => glyf.subarray(offsetOf(glyph), offsetOf(glyph + 1)),
  }
}

export function tablesOfWoff(woff: Buffer): Map<string, Buffer> {
  if (woff.toString('latin1', 0, 4) !== 'wOFF') throw new Error('This is not a WOFF file.')
  const tables = new Map<string, Buffer>()
  for (let index = 0; index < woff.readUInt16BE(12); index += 1) {
    const at = 44 + index * 20
    const [offset, packed, length] = [4, 8, 12].map((field) => woff.readUInt32BE(at + field))
    const bytes = woff.subarray(offset ?? 0, (offset ?? 0) + (packed ?? 0))
    tables.set(woff.toString('latin1', at, at + 4), packed === length ? bytes : inflateSync(bytes))
  }
  return tables
}

export function tablesOfTrueType(font: Buffer): Map<string, Buffer> {
  const entries = Array.from({ length: font.readUInt16BE(4) }, (_, index) => {
    const at = 12 + index * 16
    const [offset, length] = [font.readUInt32BE(at + 8), font.readUInt32BE(at + 12)]
    return [font.toString('latin1', at, at + 4), font.subarray(offset, offset + length)] as const
  })
  return new Map(entries)
}

/** Reads format 4 of the table `cmap`. */
function charactersOf(cmap: Buffer): Map<number, number> {
  const characters = new Map<number, number>()
  for (let index = 0; index < cmap.readUInt16BE(2); index += 1) {
    const at = cmap.readUInt32BE(4 + index * 8 + 4)
    if (cmap.readUInt16BE(at) !== 4) continue
    const twice = cmap.readUInt16BE(at + 6)
    const [ends, starts, deltas, ranges] = [14, 16 + twice, 16 + twice * 2, 16 + twice * 3].map(
      (each) => at + each,
    )
    for (let segment = 0; segment < twice; segment += 2) {
      const [end, start, delta, range] = [ends, starts, deltas, ranges].map((place) =>
        cmap.readUInt16BE((place ?? 0) + segment),
      ) as [number, number, number, number]
      for (let character = start; character <= end && character !== 0xffff; character += 1) {
        const place = (ranges ?? 0) + segment + range + (character - start) * 2
        const glyph = range === 0 ? character : cmap.readUInt16BE(place)
        if (glyph !== 0) characters.set(character, (glyph + delta) & 0xffff)
      }
    }
  }
  return characters
}

/** Returns a TrueType font that contains these glyphs and the tables that a PDF needs, but no instructions. */
export function embeddable(font: Font, glyphs: readonly Glyph[]): Buffer {
  const numbers = new Map<string, number>()
  const taken: { source: Font; id: number }[] = []
  const sources = [font, ...glyphs.map(({ source }) => source)]
  const numberOf = (source: Font, id: number) => {
    const key = `${id} ${sources.indexOf(source)}`
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, taken.length)
    taken.push({ source, id })
    return taken.length - 1
  }
  numberOf(font, 0)
  const characters = glyphs
    .filter(({ id }) => id !== 0)
    .map(({ character, source, id }) => [character, numberOf(source, id)] as const)
  const outlines: Buffer[] = []
  // Composite glyphs add their parts to `taken` while this loop runs.
  for (let index = 0; index < taken.length; index += 1) {
    const { source, id } = taken[index] ?? { source: font, id: 0 }
    const outline = withoutInstructions(source.outlineOf(id), (part) => numberOf(source, part))
    outlines.push(Buffer.concat([outline, Buffer.alloc((4 - (outline.length % 4)) % 4)]))
  }
  const copy = (name: string) => Buffer.from(font.tables.get(name) ?? Buffer.alloc(0))
  const [head, hhea, maxp] = [copy('head'), copy('hhea'), copy('maxp')]
  head.writeUInt32BE(0, 8)
  head.writeInt16BE(1, 50)
  hhea.writeUInt16BE(taken.length, 34)
  maxp.writeUInt16BE(taken.length, 4)
  // The font has no instructions, storage, functions or points in the twilight zone.
  maxp.writeUInt16BE(1, 14)
  for (let field = 16; field <= 26; field += 2) maxp.writeUInt16BE(0, field)
  const loca = Buffer.alloc((taken.length + 1) * 4)
  const hmtx = Buffer.alloc(taken.length * 4)
  let end = 0
  for (const [index, { source, id }] of taken.entries()) {
    hmtx.writeUInt16BE(source.widthOf(id), index * 4)
    hmtx.writeInt16BE(source.bearingOf(id), index * 4 + 2)
    end += outlines[index]?.length ?? 0
    loca.writeUInt32BE(end, (index + 1) * 4)
  }
  return file([
    ['cmap', cmapOf(characters)],
    ['glyf', Buffer.concat(outlines)],
    ['head', head],
    ['hhea', hhea],
    ['hmtx', hmtx],
    ['loca', loca],
    ['maxp', maxp],
  ])
}

function withoutInstructions(outline: Buffer, numberOf: (part: number) => number): Buffer {
  if (outline.length === 0) return outline
  const contours = outline.readInt16BE(0)
  if (contours >= 0) {
    const at = 10 + contours * 2
    const instructions = outline.readUInt16BE(at)
    return Buffer.concat([outline.subarray(0, at), Buffer.alloc(2), outline.subarray(at + 2 + instructions)])
  }
  const changed = Buffer.from(outline)
  for (let at = 10, flags = moreParts; (flags & moreParts) !== 0;) {
    flags = changed.readUInt16BE(at)
    changed.writeUInt16BE(flags & ~hasInstructions, at)
    changed.writeUInt16BE(numberOf(changed.readUInt16BE(at + 2)), at + 2)
    at += 4 + (flags & 1 ? 4 : 2) + (flags & 8 ? 2 : flags & 0x40 ? 4 : flags & 0x80 ? 8 : 0)
    if ((flags & moreParts) === 0) return changed.subarray(0, at)
  }
  return changed
}

/** Flags of a part of a composite glyph. */
const moreParts = 0x20
const hasInstructions = 0x100

/** Writes the characters as platform 3, encoding 1 (Windows, Unicode), in format 4 with one segment for each character. */
function cmapOf(characters: readonly (readonly [number, number])[]): Buffer {
  const sorted = [...characters].sort(([a], [b]) => a - b)
  const count = sorted.length + 1
  const power = 2 ** Math.floor(Math.log2(count))
  const words = [
    0,
    1,
    3,
    1,
    0,
    12,
    4,
    16 + count * 8,
    0,
    count * 2,
    power * 2,
    Math.log2(power),
    (count - power) * 2,
    ...sorted.map(([character]) => character),
    0xffff,
    0,
    ...sorted.map(([character]) => character),
    0xffff,
    ...sorted.map(([character, glyph]) => (glyph - character) & 0xffff),
    1,
    ...Array.from({ length: count }, () => 0),
  ]
  const buffer = Buffer.alloc(words.length * 2)
  for (const [index, word] of words.entries()) buffer.writeUInt16BE(word, index * 2)
  return buffer
}

function file(tables: readonly (readonly [string, Buffer])[]): Buffer {
  const power = 2 ** Math.floor(Math.log2(tables.length))
  const start = Buffer.alloc(12 + tables.length * 16)
  start.writeUInt32BE(0x10000, 0)
  for (const [index, word] of [
    tables.length,
    power * 16,
    Math.log2(power),
    (tables.length - power) * 16,
  ].entries())
    start.writeUInt16BE(word, 4 + index * 2)
  const bodies: Buffer[] = []
  let end = start.length
  for (const [index, [name, body]] of tables.entries()) {
    const padded = Buffer.concat([body, Buffer.alloc((4 - (body.length % 4)) % 4)])
    const at = 12 + index * 16
    start.write(name, at, 'latin1')
    start.writeUInt32BE(sumOf(padded), at + 4)
    start.writeUInt32BE(end, at + 8)
    start.writeUInt32BE(body.length, at + 12)
    bodies.push(padded)
    end += padded.length
  }
  const whole = Buffer.concat([start, ...bodies])
  const head = whole.readUInt32BE(12 + tables.findIndex(([name]) => name === 'head') * 16 + 8)
  whole.writeUInt32BE((0xb1b0afba - sumOf(whole)) >>> 0, head + 8)
  return whole
}

/** Returns the checksum of a table whose length is a multiple of four. */
function sumOf(bytes: Buffer): number {
  let sum = 0
  for (let at = 0; at < bytes.length; at += 4) sum = (sum + bytes.readUInt32BE(at)) >>> 0
  return sum
}
