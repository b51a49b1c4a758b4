/** Draws the parts of a paper about one figure: what the bank states, the facts in rows, and how a reader verifies it. */
import { receiptCopy as copy, statementCopy } from '@finanzas/contract/papers/copy.ts'
import { money } from '@finanzas/contract/papers/facts.ts'
import { type Issued, type Statement, customerSeparator } from '@finanzas/contract/papers/statement.ts'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { colours, paper } from './look.ts'
import { type Element, type Sheet, decorate, draw, drawCode, elementOf, makeRoom, rule } from './sheet.ts'
import { heightOf, widthOf } from './text.ts'

/** A row of facts: the first text is set in ink, and the others are muted. */
export type FactRow = readonly [label: string, texts: readonly string[]]

/** Draws the title, what the bank states, the figure and its time. */
export function drawStatement(
  sheet: Sheet,
  issued: Pick<Statement, 'currency'>,
  {
    title,
    state,
    colour,
    amountMinor,
    time,
  }: { title: string; state: string; colour: string; amountMinor: MinorUnits; time: string },
): void {
  const { left, right } = paper
  sheet.y = draw(sheet, sheet.root, 'H1', title, { x: left, y: sheet.y, size: 12, isBold: true }) + 8
  const look = { x: left, size: 12, isBold: true, colour, width: right - left }
  sheet.y = draw(sheet, sheet.root, 'P', state, { ...look, y: sheet.y }) + 4
  drawAmount(sheet, amountMinor, issued)
  const at = { x: left, size: 10.5, colour: colours.muted, y: sheet.y }
  sheet.y = draw(sheet, sheet.root, 'P', fullTime(time), at) + 12
}

function drawAmount(sheet: Sheet, amountMinor: MinorUnits, { currency }: Pick<Statement, 'currency'>): void {
  const amount = money(amountMinor, { currency })
  const size = Math.min(40, (40 * 420) / widthOf(sheet, amount, { size: 40, isBold: true }))
  const look = { x: paper.left, y: sheet.y, size, isBold: true }
  const below = draw(sheet, sheet.root, 'P', amount, look)
  const x = paper.left + widthOf(sheet, amount, look) + 10
  draw(sheet, sheet.root, 'P', currency, {
    x,
    y: sheet.y + size - 16,
    size: 14,
    colour: colours.muted,
  })
  sheet.y = below + 2
}

/** `28 de noviembre de 2026, 7:52 a. m. (hora de Bogotá)` */
function fullTime(time: string): string {
  const [hour, minute] = [Number(time.slice(11, 13)), time.slice(14)]
  const month = statementCopy.months[Number(time.slice(5, 7)) - 1] ?? ''
  const half = hour < 12 ? 'a. m.' : 'p. m.'
  return copy.moment(
    `${Number(time.slice(8, 10))} de ${month} de ${time.slice(0, 4)}`,
    `${hour % 12 || 12}:${minute} ${half}`,
  )
}

export function partsOf(party: string): string[] {
  return party.split(customerSeparator)
}

const valueX = 170

/**
 * Draws the facts. The labels of the bank stand at the margin, and the words of customers only in the second column: a
 * customer's words could otherwise look like a fact that the bank states.
 */
export function drawRows(sheet: Sheet, rows: readonly FactRow[]): void {
  const table = elementOf(sheet, sheet.root, 'Table')
  const width = paper.right - valueX
  for (const [label, texts] of rows) {
    const [first = '', ...others] = texts
    const strong = { x: valueX, size: 10.5, width }
    const soft = { x: valueX, size: 9.5, colour: colours.muted, width }
    const height =
      heightOf(sheet, first, strong) + others.reduce((sum, text) => sum + heightOf(sheet, text, soft), 0)
    makeRoom(sheet, height + 14)
    const row = elementOf(sheet, table, 'TR')
    sheet.y += 7
    draw(sheet, row, 'TH', label, {
      x: paper.left,
      y: sheet.y,
      size: 10.5,
      colour: colours.muted,
      width: 118,
      scope: 'Row',
    })
    sheet.y = drawValue(sheet, elementOf(sheet, row, 'TD'), { first, others, strong, soft }) + 7
    rule(sheet, sheet.y)
  }
  sheet.y += 18
}

type Value = {
  first: string
  others: readonly string[]
  strong: Parameters<typeof heightOf>[2] & { x: number }
  soft: Parameters<typeof heightOf>[2] & { x: number }
}

function drawValue(sheet: Sheet, cell: Element, { first, others, strong, soft }: Value): number {
  let y = draw(sheet, cell, 'P', first, { ...strong, y: sheet.y })
  for (const text of others) y = draw(sheet, cell, 'P', text, { ...soft, y })
  return y
}

/** Draws the box that says how a reader verifies the paper without an account. */
export function drawCheckBox(
  sheet: Sheet,
  { particulars, signature }: Pick<Issued, 'particulars'> & Pick<Statement, 'signature'>,
  unsigned: string,
): void {
  const site = particulars?.site
  const height = 104
  makeRoom(sheet, height + 20)
  const top = sheet.y
  decorate(sheet, (document) =>
    document.roundedRect(paper.left, top, paper.right - paper.left, height, 8).fill(colours.cream),
  )
  const x = paper.left + 16
  const side =
    site === undefined ? 0 : drawCode(sheet, sheet.root, `${site}/verificar`, { x, y: top + 14 }) + 16
  const text = { x: x + side, width: paper.right - x - side - 16 }
  const below = draw(sheet, sheet.root, 'P', copy.check.title, {
    ...text,
    y: top + 22,
    size: 11,
    isBold: true,
  })
  const words = signature === null ? unsigned : copy.check.text(site)
  draw(sheet, sheet.root, 'P', words, { ...text, y: below + 4, size: 9.5, colour: colours.muted })
  sheet.y = top + height + 12
}
