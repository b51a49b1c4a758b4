/** Writes the embedded fonts and the colour space of a PDF, as PDF/A-3 requires (ISO 19005-3, 6.2.3 and 6.2.11). */
import { colourProfile, fontData } from './data.ts'
import { characterOf } from './text.ts'

/**
 * The page, the server and the edge runtime have different type definitions for `atob`, so this file declares the
 * function.
 */
declare const atob: (base64: string) => string

/** Names of the fonts in a page's content. */
export const fonts = { regular: 'F1', bold: 'F2', mono: 'F3' } as const

type FontData = (typeof fontData)[keyof typeof fonts]

/** Returns the objects of the fonts, numbered from `first` on, and the page resources that refer to these objects. */
export function fontObjects(first: number): { bodies: string[]; resources: string } {
  const toUnicode = first
  const written = Object.entries(fonts).map(([kind, name], index) => {
    const self = first + 1 + index * 3
    const bodies = bodiesOf(fontData[kind as keyof typeof fonts], { self, toUnicode })
    return { bodies, resource: `/${name} ${self} 0 R` }
  })
  return {
    bodies: [stream('', unicodeMap()), ...written.flatMap(({ bodies }) => bodies)],
    resources: `/Font <<${written.map(({ resource }) => resource).join(' ')}>>`,
  }
}

/** Returns the object with the colour profile of the whole document. */
export function colourProfileObject(): string {
  return stream('/N 3', atob(colourProfile))
}

export function stream(entries: string, content: string): string {
  return `<<${entries}${entries === '' ? '' : ' '}/Length ${content.length}>>\nstream\n${content}\nendstream`
}

function bodiesOf(
  { name, first, widths, box, ascent, descent, length, file }: FontData,
  { self, toUnicode }: { self: number; toUnicode: number },
): string[] {
  // The prefix of six letters marks a font of which only some characters are embedded.
  const called = `/FINZAS+${name}`
  const last = first + widths.split(' ').length - 1
  return [
    `<</Type /Font /Subtype /TrueType /BaseFont ${called} /FirstChar ${first} /LastChar ${last} /Widths [${widths}] ` +
      `/FontDescriptor ${self + 1} 0 R /Encoding /WinAnsiEncoding /ToUnicode ${toUnicode} 0 R>>`,
    `<</Type /FontDescriptor /FontName ${called} /Flags ${nonsymbolic} /FontBBox [${box}] /ItalicAngle 0 ` +
      `/Ascent ${ascent} /Descent ${descent} /CapHeight ${capHeight} /StemV ${stemWidth} /FontFile2 ${self + 2} 0 R>>`,
    // The font is compressed in advance, because different compressors write different bytes.
    stream(`/Filter /FlateDecode /Length1 ${length}`, atob(file)),
  ]
}

const nonsymbolic = 32
const capHeight = 716
const stemWidth = 80

/** Maps each code to its character (ISO 32000-1, 9.10.3). */
function unicodeMap(): string {
  const hex = (number: number, digits: number) => number.toString(16).toUpperCase().padStart(digits, '0')
  const codes = Array.from({ length: 0x20 }, (_, index) => 0x80 + index)
  const singles = codes
    .map((code) => [code, characterOf(code)] as const)
    .filter(([, character]) => character > 0xff)
    .map(([code, character]) => `<${hex(code, 2)}> <${hex(character, 4)}>`)
  return [
    '/CIDInit /ProcSet findresource begin',
    '12 dict begin',
    'begincmap',
    '/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def',
    '/CMapName /Adobe-Identity-UCS def',
    '/CMapType 2 def',
    '1 begincodespacerange',
    '<00> <FF>',
    'endcodespacerange',
    '2 beginbfrange',
    '<20> <7E> <0020>',
    '<A0> <FF> <00A0>',
    'endbfrange',
    `${singles.length} beginbfchar`,
    ...singles,
    'endbfchar',
    'endcmap',
    'CMapName currentdict /CMap defineresource pop',
    'end',
    'end',
  ].join('\n')
}
