// The lines of a text on a paper: they end where the library that draws papers would end them.
import Pdf from 'pdfkit'
import { expect, test, vi } from 'vitest'
import { heightOf, registerFonts, widthOf, write } from './text.ts'

const lineGap = 1.5

/** The part of pdfkit that its type definitions leave out: it calls the function for each line. */
type WithLines = {
  _text(text: string, x: number, y: number, options: object, onLine: (line: string) => void): void
}

const document = new Pdf({ font: null as unknown as string, fontLayoutCache: false })
registerFonts(document)

function linesOfLibrary(text: string, { size, width }: { size: number; width: number }): string[] {
  document.font('regular', size)
  const lines: string[] = []
  const options = { width, height: Number.POSITIVE_INFINITY, lineGap }
  ;(document as unknown as WithLines)._text(text, 0, 0, options, (line) => lines.push(line))
  return lines
}

/** Returns the instructions with which `write` draws the lines of a text. */
function drawn(text: string, look: { size: number; width: number }): string[] {
  const added = vi.spyOn(document as unknown as { addContent(instruction: string): void }, 'addContent')
  write(document, text, { x: 0, y: 0, ...look })
  const instructions = added.mock.calls.map(([instruction]) => instruction)
  added.mockRestore()
  return instructions.filter((instruction) => instruction.includes('Tj'))
}

function linesOf(text: string, look: { size: number; width: number }): string[] {
  const { _font: font } = document as unknown as { _font: { unicode: readonly number[][] } }
  const characterOf = (glyph: string) =>
    String.fromCodePoint(...(font.unicode[Number.parseInt(glyph, 16)] ?? []))
  return drawn(text, look).map((line) =>
    (/<([0-9a-f]+)> Tj/.exec(line)?.[1] ?? '').replaceAll(/.{4}/g, characterOf),
  )
}

const texts = [
  'Pago',
  'Pago de la factura de energía del mes de octubre en la sucursal de la calle 80',
  'Éxito-Calle 80: mercado/aseo (dos bolsas), «señora María», 1.250,00 y $12.50',
  'Entra a https://banco.example/verificar o a /.well-known/finanzas-statement-keys.json con el archivo',
  'maria-fernanda.rojas+compras@correo-de-la-empresa.example.com.co',
  'abcdefghij'.repeat(20),
  `Pago ${'9'.repeat(120)} y después otras palabras`,
  `${'W'.repeat(30)} ${'i'.repeat(85)} ${'.-/'.repeat(30)}`,
]

test.for(texts)('the lines of %j are those of the library', (text) => {
  for (const look of [
    { size: 8, width: 162 },
    { size: 8, width: 60 },
    { size: 10.5, width: 381 },
  ])
    expect(linesOf(text, look)).toEqual(linesOfLibrary(text, look))
})

test('the height of a text is that of its lines, and its width that of one line', () => {
  const text = texts[1] ?? ''
  const look = { size: 8, width: 162 }

  const height = heightOf({ document }, text, look)

  expect(write(document, text, { x: 0, y: 100, ...look })).toBeCloseTo(100 + height)
  expect(height).toBeCloseTo(2 * (document.currentLineHeight(true) + lineGap))
  expect(widthOf({ document }, text, { size: 8 })).toBeGreaterThan(look.width)
})

test('a line does not begin with the space after a word that fills the line before', () => {
  const word = 'm'.repeat(9)
  const width = widthOf({ document }, word, { size: 8 }) + 0.01

  expect(linesOf(`${word} n`, { size: 8, width })).toEqual([`${word} `, 'n'])
})

test('a mark stays with its letter, and stands where the font places it', () => {
  const [look, letters] = [{ size: 8, width: 60 }, 'g\u0331'.repeat(60)]

  const lines = drawn(letters, look)

  expect(lines.length).toBeGreaterThan(1)
  for (const line of lines) expect(line.match(/ Tj/g)?.length).toSatisfy((count: number) => count % 2 === 0)
  expect(heightOf({ document }, letters, look)).toBe(heightOf({ document }, 'g'.repeat(60), look))
})
