/**
 * Verifies the ledger (docs/decisions/0020): every customer's chain, balance and list of transactions, both postings of
 * every transfer, the clearing files, and the audit log's chain. The verification runs in short portions between
 * requests. Each portion reads one snapshot, so that concurrent writes never look like an error in the ledger.
 */
import { type Database, type SqlStatement, sql } from '#database/database.ts'
import { asCaller } from '#database/scope.ts'

/** The kinds of errors in a ledger, with the operator's message for each kind. */
const ledgerFaults = {
  sequence: 'falta un asiento anterior, o sobra uno',
  link: 'no lleva el hash del asiento anterior',
  hash: 'su hash no es el de su contenido',
  sum: 'su saldo no es el saldo anterior más su monto',
  closed: 'la cuenta ya estaba cerrada',
  account: 'la cuenta y la cadena no coinciden en si el cliente existe',
  balance: 'el saldo del cliente no es el de la cadena',
  notes: 'las anotaciones del cliente no suman lo que suman sus asientos',
  listed: 'la lista del personal no coincide con la cuenta del cliente',
  transaction: 'la lista del cliente no coincide con lo asentado',
  unposted: 'hay un movimiento que nunca se asentó',
  transfer: 'una transferencia no coincide con sus dos asientos',
  clearing_file: 'no coincide con sus transferencias o con su huella en la auditoría',
} as const

/**
 * The first broken entry, ordered by customer and sequence number. Clearing files and audit entries come after the
 * entries of all customers.
 */
export type BrokenEntry = {
  /**
   * `null` for a clearing file and for an audit entry. The audit log is one chain for the whole bank and does not
   * belong to a customer.
   */
  readonly customerId: string | null
  /** The number of the clearing file or entry; `null` if the error is not in a single entry. */
  readonly seq: number | null
  readonly fault: keyof typeof ledgerFaults
}

export type LedgerVerdict = {
  readonly entries: number
  readonly customers: number
  readonly auditRows: number
  readonly broken: BrokenEntry | null
}

/** Describes a broken entry to the operator. The text does not end with a full stop. */
export function describeBroken(broken: BrokenEntry): string {
  return `${placeOf(broken)}: ${ledgerFaults[broken.fault]}`
}

function placeOf({ customerId, seq, fault }: BrokenEntry): string {
  if (customerId !== null) return `el cliente ${customerId}, asiento ${seq ?? '(ninguno)'}`
  return fault === 'clearing_file' ? `el archivo de compensación ${seq}` : `la auditoría, fila ${seq}`
}

/**
 * Number of entries in one portion. A portion takes about 20 ms, during which the embedded engine cannot serve
 * requests.
 */
const portionEntriesMax = 500
/** Number of transfers in one portion. Each transfer is looked up in two journals. */
const portionTransfersMax = 500
/**
 * Number of clearing files in one portion. A file of 1,000 transfers has a megabyte, and the check computes the hash of
 * the whole file.
 */
const portionFilesMax = 2

/**
 * Verifies the ledger up to the first error in each check. After each portion, calls `betweenPortions` with the
 * portion's duration in milliseconds and awaits it, so that other work can run. Throws database errors.
 */
export async function verifyLedger(
  database: Pick<Database, 'transaction'>,
  betweenPortions: (lastMs: number) => Promise<void> = async () => undefined,
): Promise<LedgerVerdict> {
  const check: Check = async (statement) => {
    const startedAt = performance.now()
    const [[row]] = await database.transaction(asVerifier, [statement])
    if (row === undefined) throw new Error('A check of the ledger answered nothing.')
    await betweenPortions(performance.now() - startedAt)
    return row
  }
  const chains = await verifyChains(check)
  const balances = await verifyBalances(check)
  const transfers = await verifyTransfers(check)
  const files = await verifyClearingFiles(check)
  const audit = await verifyAudit(check)
  const broken =
    firstOf(firstOf(chains.broken, balances.broken), transfers.broken) ?? files.broken ?? audit.broken
  return { entries: chains.entries, customers: balances.customers, auditRows: audit.rows, broken }
}

/** Runs the statement of one portion, and then lets other work run. */
type Check = <R>(statement: SqlStatement<R>) => Promise<R>
type Broken = { broken_customer: string | null; broken_seq: number | null; fault: BrokenEntry['fault'] }

async function verifyChains(check: Check) {
  let entries = 0
  let [customer, seq]: [string | null, number | null] = [null, null]
  for (;;) {
    type Portion = Broken & { entries: number; last_customer: string | null; last_seq: number | null }
    const portion: Portion = await check(
      sql<Portion>`select * from ledger.check_entries(${customer}, ${seq}, ${portionEntriesMax})`,
    )
    entries += portion.entries
    const broken = brokenEntryOf(portion)
    if (broken !== null || portion.entries < portionEntriesMax) return { entries, broken }
    ;[customer, seq] = [portion.last_customer, portion.last_seq]
  }
}

async function verifyBalances(check: Check) {
  let customers = 0
  let customer: string | null = null
  for (;;) {
    type Portion = Broken & { customers: number; last_customer: string | null }
    const portion: Portion = await check(
      sql<Portion>`select * from ledger.check_balances(${customer}, ${portionEntriesMax})`,
    )
    customers += portion.customers
    const broken = brokenEntryOf(portion)
    customer = portion.last_customer
    if (broken !== null || customer === null) return { customers, broken }
  }
}

async function verifyTransfers(check: Check) {
  let last: string | null = null
  for (;;) {
    type Portion = Broken & { rows: number; last_id: string | null }
    const portion: Portion = await check(
      sql<Portion>`select * from ledger.check_transfers(${last}, ${portionTransfersMax})`,
    )
    const broken = brokenEntryOf(portion)
    if (broken !== null || portion.rows < portionTransfersMax) return { broken }
    last = portion.last_id
  }
}

async function verifyClearingFiles(check: Check) {
  let last: number | null = null
  for (;;) {
    type Portion = {
      rows: number
      last_number: number | null
      broken_number: number | null
      fault: BrokenEntry['fault']
    }
    const portion: Portion = await check(
      sql<Portion>`select * from ledger.check_clearing_files(${last}, ${portionFilesMax})`,
    )
    const { broken_number: seq, fault } = portion
    if (seq !== null) return { broken: { customerId: null, seq, fault } }
    if (portion.rows < portionFilesMax) return { broken: null }
    last = portion.last_number
  }
}

async function verifyAudit(check: Check) {
  let rows = 0
  let last: number | null = null
  for (;;) {
    type Portion = {
      rows: number
      last_id: number | null
      broken_id: number | null
      fault: BrokenEntry['fault']
    }
    const portion: Portion = await check(
      sql<Portion>`select * from ledger.check_audit(${last}, ${portionEntriesMax})`,
    )
    rows += portion.rows
    const { broken_id: seq, fault } = portion
    if (seq !== null) return { rows, broken: { customerId: null, seq, fault } }
    if (portion.rows < portionEntriesMax) return { rows, broken: null }
    last = portion.last_id
  }
}

const asVerifier = asCaller({ role: 'service_role' }, 'read')

function brokenEntryOf({ broken_customer, broken_seq, fault }: Broken): BrokenEntry | null {
  return broken_customer === null ? null : { customerId: broken_customer, seq: broken_seq, fault }
}

/**
 * Returns the one of two errors that comes first in the order of customers and sequence numbers. An error without a
 * sequence number comes after the customer's other errors.
 */
function firstOf(one: BrokenEntry | null, other: BrokenEntry | null): BrokenEntry | null {
  if (one === null || other === null) return one ?? other
  if (one.customerId !== other.customerId)
    return (one.customerId ?? '') < (other.customerId ?? '') ? one : other
  return (one.seq ?? Number.POSITIVE_INFINITY) <= (other.seq ?? Number.POSITIVE_INFINITY) ? one : other
}
