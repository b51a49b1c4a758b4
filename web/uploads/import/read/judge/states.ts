/** Recognizes rows that are not booked transactions. */
import { fold } from '#ui/format/text.ts'
import type { SkipReason } from '#uploads/import/read/reader.ts'

/**
 * The kind of a row. A `long` row has more fields than the heading, because a mark inside a value has split the value.
 */
export type Kind = 'movement' | 'continuation' | 'long' | SkipReason

/** Anchored at the beginning of a value, which is in lower case and without accents. */
const states: readonly (readonly [SkipReason, RegExp])[] = [
  // The purchase took place. The file does not say whether the refund is a row of its own.
  [
    'unknown',
    /^(?:(?:partially |parcialmente )?(?:refund|reembols|returned|devuelt|rembours|erstatt)|autorizad)/,
  ],
  [
    'pending',
    /^(?:pend|pdng|en proceso|en tramite|in progress|process|procesando|authori[sz]|preautori|por (?:confirmar|aplicar|procesar|pagar)|on hold|hold|held|retenid|reserv|futr|scheduled|programad|waiting|vorgemerkt|ausstehend|em (?:process|analise)|agendad|aguardando|en (?:attente|cours|espera|curso|revision)|in bearbeitung|offen|sin (?:procesar|aplicar|confirmar)|to (?:confirm|approve)|unposted|uncleared|unclaimed|open|created|initiated|iniciad|incoming_payment_waiting)/,
  ],
  ['reversed', /^(?:revers|revert|chargeback|charged back|charge_refunded|e?storn|rtrn|contracarg)/],
  [
    'refused',
    /^(?:rechaz|rejeit|declin|fail|fallid|falhou|falhad|denied|denegad|negad|cancel|anulad|annul|void|expired|expirad|vencid|caducad|rejected|rjct|refus|recusad|echou|error|erro\b|no (?:aprobad|exitos|realizad)|blocked|bloquead|abgelehnt|abgebroch|abgebrochen|fehlgeschlagen|removed|eliminad|inactiv|unsuccess)/,
  ],
  ['replaced', /^(?:replaced|reemplazad|sustituid)/],
  ['information', /^info$/],
]

const settled =
  /^(?:complet|book|posted|settled|cleared|aprobad|aprovad|approved|exitos|efectuad|efetuad|effectue|realizad|realise|aplicad|ejecutad|execut|confirm[ae]d|procesad[oa]$|processad|processed|success|sucesso|paid|pag[ao]d?[oa]?$|paye$|finali|termine$|terminad|contabiliza|comptabilis|liquidad|acreditad|debitad|abonad|cobrad|concluid|valide|erfolgreich|abgeschlossen|ausgefuhrt|ok$|done|sent|received|recibid|enviad|funds|outgoing_payment_sent|gebucht|normal$|activ|registrad|facturad|credited|debited)/

/** Words for the transaction itself, before its state, as in `Pago rechazado`. */
const subject =
  /^(?:la |el |the )?(?:transaccion|transacao|umsatz|pago|pagamento|paiement|compra|operacion|movimiento|transferencia|transaction|payment|purchase|transfer) (?:fue |esta |was |is )?(?=\p{L})/u
const negation = /^(?:nao|nicht|non|not|no|sin|un|in)[\s-]*/

/** The state of a transaction. `unknown` means that the word does not say whether the transaction took place. */
export type State = SkipReason | 'booked'

export function stateOf(text: string): State {
  const value = fold(text).trim().replace(subject, '')
  // A row of totals may have a figure in this column.
  if (!hasWords(value) || settled.test(value)) return 'booked'
  const listed = states.find(([, beginning]) => beginning.test(value))?.[0]
  return listed ?? (isNegated(value) ? 'refused' : 'unknown')
}

function hasWords(text: string): boolean {
  return /\p{L}/u.test(text)
}

/** Returns whether the text denies that the transaction is settled, as in `Unsuccessful`. */
function isNegated(value: string): boolean {
  const rest = value.replace(negation, '')
  return rest !== value && settled.test(rest)
}

/** Number of different states that a column may have. */
const statesMax = 8

/** Returns whether the texts are the states of transactions. Fewer of them must be known if the heading says so. */
export function areStates(texts: readonly string[], heading: string): boolean {
  const values = [...new Set(texts)]
  const known = texts.filter((text) => hasWords(text) && stateOf(text) !== 'unknown').length
  if (/(?<!\p{L})(?:estado|state|status|situacion|situacao|statut|etat)(?!\p{L})/u.test(fold(heading)))
    // The states of the United States have two letters.
    return known > 0 || (values.length <= statesMax && values.every((value) => /^\P{N}{3,}$/u.test(value)))
  return texts.length > 1 && known >= 0.9 * texts.length && values.length <= statesMax
}

const hint = /saldo|solde|balance|total|carried|forward|salden/i
const months = '(?:ene|feb|mar|abr|may|jun|jul|ago|sep|set|oct|nov|dic)\\p{L}*'
const balance = new RegExp(
  `^(?:(?:opening|closing|starting|ending|beginning|previous|prior|current|available|final|initial|running|new|old|book|ledger) balance|balance(?: (?:brought|carried) forward| forward| as (?:of|at)\\b.*)?|(?:brought|carried) forward|(?:nuevo )?saldo(?:[\\s:/.,-]+(?:inicial|final|anterior|actual|disponible|total|en|al?|d[oa]|las?|el|los|fecha|del?|dia|mes|ano|cierre|corte|apertura|contable|periodo|extracto|hasta|cuentas?|ahorros?|corriente|tarjeta|no|nro|banco|pesos|dolares|cop|usd|${months}|[x*#$\\d][x*\\d]*))*|(?:ancien |nouveau )?solde(?: (?:initial|final|precedent|actuel|disponible|au))?|(?:anfangs|end|schluss)saldo|alter saldo|neuer saldo)[\\s:]*[\\d/.,\\s-]*$`,
  'u',
)
const total =
  /^(?:sub)?total(?:es)?(?:\s+(?:de|del|los|las|the|of|y|en|debit\p{L}*|credit\p{L}*|cargos?|abonos?|retiros?|depositos?|deposits|ingresos?|egresos?|gastos?|movimientos?|periodo|mes|pagos?|compras?|general|debe|haber|transac\p{L}*|fees|withdrawals|consignaciones|cuentas?|salidas|entradas|purchases|payments|pesos|dolares|cop|usd|nacional\p{L}*|internacional\p{L}*))*[\s:]*$/u

/** Returns whether the text is a word for a balance or a total that may also be the name of a shop. */
export function isBareSummary(text: string): boolean {
  return /^(?:(?:new )?balance|saldo|solde|total)[\s\d#*-]*$/.test(fold(text).trim())
}

const pendingWords =
  'pending|pendiente|pendente|processing|procesando|en proceso|preautori[sz]aci[oó]n|pre-?auth(?:ori[sz]ation)?|authori[sz]ation hold|temporary hold|hold|retenido|retenida|vorgemerkt|ausstehend|en attente|unposted|por confirmar'
const refusedWords =
  'declined|rejected|failed|cancell?ed|voided|void|rechazad[oa]|fallid[oa]|denegad[oa]|negad[oa]|anulad[oa]|cancelad[oa]|abgelehnt|storniert|fehlgeschlagen|refus[eé]e?'
const reversedWords = 'reversed|reverted|reversad[oa]|revertid[oa]'
/** A word in brackets or behind a mark is not part of the description, as in `PENDING - Amazon` or `Amazon (pendiente)`. */
const named = '(?:(?:pago|compra|transacci[oó]n|transferencia|payment|purchase|transaction|umsatz)\\s+)?'
const apart = (words: string) =>
  new RegExp(
    `^[[(*<]+\\s*(?:${words})\\s*[\\])*>]+|^${named}(?:${words})\\s*(?:[-–—:|/*>]|\\.{2,}|…)|[[(*]\\s*(?:${words})\\s*[\\])*]+$|\\s[-–—|/]\\s*(?:${words})\\.?$`,
    'i',
  )
const statesApart: readonly (readonly [SkipReason, RegExp])[] = [
  ['pending', apart(pendingWords)],
  ['refused', apart(refusedWords)],
  ['reversed', apart(reversedWords)],
]
/** Matches words that no shop has in front of its name, or behind it. */
const pendingEnds =
  /^(?:pending|pendiente) (?!de |por )|^(?:pending|pendiente)$|(?<!\p{L})(?:pending|vorgemerkt)$/iu
/** Matches `Cuota pendiente`, which may be paid or waiting. */
const openEnd = /(?<!\p{L})(?:pendiente|en proceso|por confirmar|retenid[oa])$/iu

const stateHint =
  /pend|proces|auth|autori|hold|reten|vorge|ausst|attente|unpost|confirmar|decli|reject|fail|cancel|void|rechaz|fallid|dene?gad|negad|anulad|abgel|storn|fehlg|refus|revers|revert/i

/**
 * Returns the state that a description contains apart from its other words, or `null`. The state is `unknown` if its word
 * may be part of the description.
 */
export function writtenStateOf(description: string): SkipReason | null {
  if (!stateHint.test(description)) return null
  const text = description.trim()
  if (pendingEnds.test(text)) return 'pending'
  return statesApart.find(([, words]) => words.test(text))?.[0] ?? (openEnd.test(text) ? 'unknown' : null)
}

/** Returns the reason why one of the row's fields shows that the row is a balance or a total. */
export function summaryOf(fields: readonly string[]): 'balance' | 'total' | null {
  for (const field of fields) {
    if (field.length > 60 || !hint.test(field)) continue
    const value = fold(field).trim()
    if (balance.test(value)) return 'balance'
    if (total.test(value)) return 'total'
  }
  return null
}
