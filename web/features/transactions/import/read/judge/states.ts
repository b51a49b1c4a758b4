/** Recognizes rows that are not booked transactions. */
import { fold } from '#format/text.ts'
import type { SkipReason } from '#features/transactions/import/read/reader.ts'

/**
 * The kind of a row. A `long` row has more fields than the heading, because a mark inside a value has split the value.
 */
export type Kind = 'movement' | 'continuation' | 'long' | SkipReason

/** Anchored at the beginning of a value, which is in lower case and without accents. */
const states: readonly (readonly [SkipReason, RegExp])[] = [
  [
    'pending',
    /^(?:pend|pdng|en proceso|en tramite|in progress|process|procesando|authori[sz]|autorizad|preautori|por (?:confirmar|aplicar|procesar)|on hold|hold|retenid|reserv|futr|scheduled|programad|waiting|vorgemerkt|ausstehend|unposted|uncleared|created|initiated|iniciad)/,
  ],
  ['reversed', /^(?:revers|revert|devuelt|chargeback|returned|refunded|storn|rtrn|reembolsad)/],
  [
    'refused',
    /^(?:rechaz|declin|fail|fallid|denied|denegad|negad|cancel|anulad|void|expired|vencid|caducad|rejected|rjct|refus|error|no (?:aprobad|exitos|realizad)|blocked|bloquead|abgelehnt)/,
  ],
  ['replaced', /^(?:replaced|reemplazad|sustituid)/],
  ['information', /^info$/],
]

const settled =
  /^(?:complet|book|posted|settled|cleared|aprobad|exitos|efectuad|realizad|aplicad|ejecutad|confirmad|procesad[oa]$|processed|success|paid|pagad|finali|contabiliza|liquidad|ok$|done|sent|received|funds|outgoing_payment_sent|gebucht|normal$|activ)/

export function stateOf(text: string): SkipReason | null {
  const value = fold(text).trim()
  if (settled.test(value)) return null
  return states.find(([, beginning]) => beginning.test(value))?.[0] ?? null
}

/** Returns whether the text is a state of a transaction, booked or not. */
export function isState(text: string): boolean {
  return stateOf(text) !== null || settled.test(fold(text).trim())
}

const hint = /saldo|balance|total|carried|forward|salden/i
const balance =
  /^(?:(?:opening|closing|starting|ending|beginning|previous|prior|current|available|final|initial|running|new|old|book|ledger) balance|balance(?: (?:brought|carried) forward| forward| as (?:of|at)\b.*)?|(?:brought|carried) forward|saldo|nuevo saldo|(?:saldo )(?:inicial|final|anterior|actual|disponible|total|en|al?|a la fecha|del?|dia|mes|cierre|corte|apertura|contable)(?!\p{L}).*|(?:anfangs|end|schluss)saldo|alter saldo|neuer saldo)[\s:]*[\d/.,\s-]*$/u
const total =
  /^(?:sub)?total(?:es)?(?:(?: de| del)?(?: los| las)? ?(?:debit|credit|carg|abon|retir|deposit|ingres|egres|gast|movimient|periodo|mes|pagos|compras|general|debe|haber|transac|fees|withdrawals|consigna|cuenta|salidas|entradas|purchases|payments|pesos|cop|usd).*)?[\s:]*$/

/** Returns the reason why one of the row's fields shows that the row is a balance or a total. */
export function summaryOf(fields: readonly string[]): SkipReason | null {
  for (const field of fields) {
    if (field.length > 60 || !hint.test(field)) continue
    const value = fold(field).trim()
    if (balance.test(value)) return 'balance'
    if (total.test(value)) return 'total'
  }
  return null
}
