/** Words and letters that say whether money goes out or comes in. */
import { fold } from '#ui/format/text.ts'
import { writtenCurrency } from '#uploads/figures.ts'

export type Direction = 'out' | 'in'

/**
 * Anchored at the beginning of a value, which is in lower case and without accents. `Crédito` and `Recarga` name a direction
 * only as the whole value: `Crédito hipotecario` and `Recarga celular` are expenses.
 */
const certain: Readonly<Record<Direction, RegExp>> = {
  out: /^(?:(?:nota |n\. ?)?debit[oe]?s?|dbit|debe|debet|dr|db|gastos?|cargos?|retiros?|egresos?|salidas?|saidas?|saliente|expenses?|withdrawals?|money out|paid out|out(?:going)?|sent|enviad[oa]|transfer(?:encia)? enviada|af|soll|lastschrift|belastung|directdebit|-|−)(?!\p{L}| ?card| ?tarjeta)/u,
  in: /^(?:(?:nota |n\. ?)?crdt|cr|haber|ingresos?|depositos?|deposits?|entradas?|entrante|income|money in|paid in|in(?:coming)?|received|recibid[oa]|transfer(?:encia)? recibida|bij|haben|gutschrift|kredit|dep|directdep|\+)(?!\p{L}| ?card| ?tarjeta)|^(?:credito?s?|abonos?|consignacion(?:es)?|recargas?)\.?$/u,
}

/** Words that usually, but not always, have this direction. They count only in a column of types. */
const likely: Readonly<Record<Direction, RegExp>> = {
  out: /^(?:compras?|purchases?|sale|pos|atm|fee|srvchg|check|cash|repeatpmt|comision(?:es)?|card[ _]payment)(?!\p{L})/u,
  in: /^(?:refund|devolucion(?:es)?|reembolsos?|top[ -]?up|return)(?!\p{L})/u,
}
const payment = /^(?:pagos?|payment)(?!\p{L})/u
const purchase = /^(?:compras?|purchases?|sale|pos)(?!\p{L})/u

/** Pairs of letters and numbers. The meaning of `C`, `E` and `S` depends on the other letter. */
const letterPairs: readonly Readonly<Record<string, Direction>>[] = [
  { d: 'out', c: 'in' },
  { d: 'out', h: 'in' },
  { d: 'out', k: 'in' },
  { d: 'out', a: 'in' },
  { c: 'out', a: 'in' },
  { s: 'out', h: 'in' },
  { e: 'out', i: 'in' },
  { g: 'out', i: 'in' },
  { s: 'out', e: 'in' },
]

/** How the values of one column name a direction. */
type Vocabulary = {
  readonly of: (text: string) => Direction | null
  /** Whether the values name both directions. */
  readonly isComplete: boolean
  /** Whether a value names a direction that it always has. */
  readonly isCertain: boolean
}

/**
 * Returns how the values of a column name directions, or `null` if too few of the different values do.
 * `isTypes` says that the heading speaks of types or directions, so that likely words count too.
 */
export function vocabularyOf(
  texts: readonly string[],
  { heading, isTypes }: { heading: string; isTypes: boolean },
): Vocabulary | null {
  const values = [...new Set(texts)]
  if (values.length === 0 || values.length > 40) return null
  const folded = values.map((value) => fold(value).trim())
  const letters = lettersOf(texts, heading)
  const meaning = letters ?? ((value: string) => wordOf(value, folded, isTypes))
  const known = new Map(values.map((value, index) => [value, meaning(folded[index] ?? '')]))
  const directions = [...known.values()].filter((each) => each !== null)
  if (directions.length < (isTypes ? 1 : 0.6 * values.length)) return null
  return {
    of: (text: string) => known.get(text) ?? null,
    isComplete: directions.includes('out') && directions.includes('in'),
    isCertain: letters !== null || folded.some((value) => certain.out.test(value) || certain.in.test(value)),
  }
}

/** Share of the values that must be letters. A row of totals may have another value in the same column. */
const lettersMin = 0.7

function lettersOf(texts: readonly string[], heading: string) {
  const all = texts.map((text) => text.trim().toLowerCase()).filter((text) => /^[a-z]\.?$/.test(text))
  if (all.length < lettersMin * texts.length) return null
  const letters = [...new Set(all.map((text) => text.charAt(0)))]
  const pairs = letterPairs.filter((pair) => letters.every((letter) => pair[letter] !== undefined))
  // `Cargo/Abono` names the pair whose letters are all the same in this file.
  const initials = fold(heading)
    .split(/[^a-z]+/)
    .map((word) => word.charAt(0))
  const named = pairs.find((each) => Object.keys(each).every((letter) => initials.includes(letter)))
  // A letter on its own, such as `C`, may belong to pairs that give it opposite meanings.
  const isClear = pairs.every((each) => letters.every((letter) => each[letter] === pairs[0]?.[letter]))
  const pair = named ?? (isClear ? pairs[0] : undefined)
  return pair === undefined
    ? null
    : (value: string) => (/^[a-z]\.?$/.test(value) ? (pair[value.charAt(0)] ?? null) : null)
}

function wordOf(value: string, values: readonly string[], isTypes: boolean): Direction | null {
  for (const direction of ['out', 'in'] as const) if (certain[direction].test(value)) return direction
  if (!isTypes) return null
  for (const direction of ['out', 'in'] as const) if (likely[direction].test(value)) return direction
  // In a card's file, a payment comes in. The purchases beside it show that the file may be a card's.
  return payment.test(value) && !values.some((each) => purchase.test(each)) ? 'out' : null
}

const refund =
  /refund|devoluc|reembols|revers|abono|thank you|gracias|pago recibido|su pago|payment received|autopay|payments? (?:and|&) credits|nota credito|cashback|chargeback|anulacion|gutschrift|erstattung|ruckzahlung|ruckbuchung|storno|rembours/

/** Returns whether the words of a row speak of a refund or of a payment that reached a card. */
export function speaksOfRefund(words: string): boolean {
  return refund.test(fold(words))
}

/** Returns whether the words of a row speak of a purchase, and not of its return. */
export function speaksOfPurchase(words: string): boolean {
  return /(?<!\p{L})(?:compra|purchase|sale)(?!\p{L})/u.test(fold(words)) && !speaksOfRefund(words)
}

const payments =
  /(?<!\p{L})(?:pagos?|payments?|pymts?|pmts?|zahlung(?:en)?|einzahlung|paiement|pagamento)(?!\p{L})/u
/** The words beside `Pago` that do not name a payee: the channel, the card and the bank's thanks. */
const besidePayment =
  /^(?:pagos?|payments?|pymts?|pmts?|zahlung(?:en)?|einzahlung|paiement|pagamento|electroni\p{L}*|elettronic\p{L}*|online|internet|web|mobile|movil|app|auto\p{L}*|direct\p{L}*|thank|thanks|you|gracias|danke|merci|pse|tarjetas?|tc|cards?|kreditkarte|cred\p{L}*|deb\p{L}*|visa|mastercard|master|amex|received|recibid\p{L}*|erhalten|su|tu|your|ihre|the|la|el|de|del|en|por|via|from|with|and|checking|chk|savings?|ahorros|corriente|ach|dep|ext\p{L}*|virtual|sucursal|oficina|banca|caja|ventanilla|cajero|linea|minim\p{L}*|total|parcial|cuenta|account|acct|banc\p{L}*|bank|transfer\p{L}*|fecha|ref|no|nro|num|xx*)$/u

/**
 * Returns whether one line of a row's words speaks of a payment without naming who was paid, as the payment of a card
 * does. The category is a line of its own.
 */
export function speaksOfBarePayment(words: string): boolean {
  return fold(words)
    .split('\n')
    .some(
      (line) =>
        payments.test(line) && (line.match(/\p{L}+/gu) ?? []).every((word) => besidePayment.test(word)),
    )
}

/** Returns whether the words of a row speak of money that only an account receives. */
export function speaksOfIncome(words: string): boolean {
  return /(?<!\p{L})(?:nomina|salari\p{L}*|sueldo|salary|payroll|wages?|gehalt|lohn|pension|rente|mesada|honorarios|consignaci\p{L}*|deposit\p{L}*|direct dep|interes(?:es)? (?:abonad|ganad|pagad)\p{L}*|interest (?:paid|earned)|transferencia (?:de|recibida)|transfer from|dividend\p{L}*|venta)(?!\p{L})/u.test(
    fold(words),
  )
}

/** Matches the words above a table, or in a heading, that only the file of a credit card has. */
const creditCard =
  /tarjetas? de credito|credit ?cards?|kreditkarte|carte de credit|cartao de credito|tarjetahabiente|card ?member|pago minimo|minimum payment|(?<!\p{L})cupos?(?!\p{L})|credit limit|limite de credito|saldo a diferir|(?<!\p{L})(?:numero de |n[.ro]{0,2} )?cuotas?(?!\p{L})|on your statement as/u

/** Returns whether the text names a credit card, or something that only a credit card has. */
export function namesCreditCard(text: string): boolean {
  return creditCard.test(fold(text))
}

/** Names of currencies, the more specific ones first. */
const currencyNames: readonly (readonly [RegExp, string])[] = [
  [/pesos? mex/, 'MXN'],
  [/pesos? arg/, 'ARS'],
  [/pesos? chil/, 'CLP'],
  [/pesos? uru/, 'UYU'],
  [/pesos? dom/, 'DOP'],
  [/(?<!\p{L})pesos?(?!\p{L})/u, 'COP'],
  [/dolar(?:es)? can|canadian dollar/, 'CAD'],
  [/dolar(?:es)? aus|australian dollar/, 'AUD'],
  [/(?<!\p{L})(?:dolar(?:es)?|dollars?)(?!\p{L})/u, 'USD'],
  [/(?<!\p{L})euros?(?!\p{L})/u, 'EUR'],
  [/libras? esterlinas?|pounds? sterling/, 'GBP'],
  [/(?<!\p{L})(?:reais|reales)(?!\p{L})/u, 'BRL'],
]

/** Returns the ISO 4217 code of the currency that a text writes or names, or an empty string. */
export function namedCurrency(text: string): string {
  const written = writtenCurrency(text)
  if (written !== '') return written
  const folded = fold(text)
  return currencyNames.find(([name]) => name.test(folded))?.[1] ?? ''
}

/** Returns whether the text is the name of a currency and nothing else. */
export function isCurrencyName(text: string): boolean {
  return (
    text.length < 30 &&
    /^(?:peso|d[oó]lar|dollar|euro|libra|pound|reais|reales)/i.test(text) &&
    namedCurrency(text) !== ''
  )
}
