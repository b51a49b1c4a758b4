/** The texts of one element of camt, such as an entry, by the paths of the elements within it. */
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import type { Tag } from '#uploads/tags.ts'

/**
 * Maximum nesting depth of elements within an entry. The standard uses about a dozen levels. More deeply nested
 * elements are skipped.
 */
const depthMax = 50
/** Maximum number of details of an entry that become rows of their own. */
const detailsMax = 10_000

/** The texts by the path of their elements. Texts with the same path are joined. */
export type Values = Map<string, string>
export type Entry = {
  readonly line: number
  readonly path: string[]
  deeper: number
  readonly values: Values
  readonly details: { readonly line: number; readonly values: Values }[]
}

export function noteTag(entry: Entry, tag: Tag): void {
  if (tag.isClosing) closeTag(entry, tag.name)
  else if (entry.deeper > 0 || entry.path.length === depthMax) entry.deeper += tag.isEmpty ? 0 : 1
  else {
    if (tag.name === 'TXDTLS' && entry.details.length < detailsMax)
      entry.details.push({ line: tag.line, values: new Map() })
    const within = [...entry.path, tag.name]
    if (!tag.isEmpty) entry.path.push(tag.name)
    const place = within.indexOf('TXDTLS')
    const detail = place === -1 ? undefined : entry.details.at(-1)?.values
    const path = within.slice(place + 1).join('/')
    note(detail ?? entry.values, path, tag.text)
    note(detail ?? entry.values, `${path}@CCY`, currencyOf(tag.attributes))
  }
}

export function openedAt({ line }: Tag): Entry {
  return { line, path: [], deeper: 0, values: new Map(), details: [] }
}

function closeTag(entry: Entry, name: string): void {
  if (entry.deeper > 0) {
    entry.deeper -= 1
    return
  }
  // A damaged file may lack closing tags.
  const opened = entry.path.lastIndexOf(name)
  if (opened !== -1) entry.path.length = opened
}

/** Maximum length of a description that consists of several elements. */
const joinedLengthMax = 1000

function note(values: Values, path: string, text: string): void {
  const before = values.get(path)
  if (text === '') return
  if (before === undefined) values.set(path, text)
  else if (path.endsWith('RMTINF/USTRD') && before.length < joinedLengthMax)
    values.set(path, `${before} ${text}`)
}

function currencyOf(attributes: string): string {
  return /\bCcy\s*=\s*["']([A-Z]{3})["']/i.exec(attributes)?.[1] ?? ''
}

/** Returns the first text whose path has one of the ends. Earlier ends take precedence. */
export function ending(values: Values, ...ends: string[]): string {
  for (const end of ends) for (const [path, text] of values) if (path.endsWith(end)) return text
  return ''
}

export function statusOf(entry: Values): string {
  return entry.get('STS/CD') ?? entry.get('STS/PRTRY') ?? entry.get('STS') ?? ''
}

/** Returns the minor units of an amount, which may have further zeros, or `null`. */
export function minorOf(amount: string): number | null {
  return minorFromDecimal(amount.replace(/^0+(?=\d)/, '').replace(/\.$|(?<=\.\d\d)0+$/, ''))
}

/** Returns the amount of an element, negative for a debit. */
export function signedMinorOf(values: Values): number | null {
  const minor = minorOf(values.get('AMT') ?? '')
  return minor === null ? null : values.get('CDTDBTIND') === 'DBIT' ? 0 - minor : minor
}
