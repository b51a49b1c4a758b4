/**
 * Verifies the ledger (docs/decisions/0020): every customer's chain, their balance, their list against
 * both, and the audit's chain. In portions, each one snapshot and short, so that it can run beside requests: what others write
 * meanwhile is never a contradiction.
 */
import { type Database, sql } from '#database/database.ts'
import { asCaller } from '#database/scope.ts'

/** What can be wrong with an entry; the sentences say it to the operator. */
const ledgerFaults = {
  sequence: 'falta un asiento anterior, o sobra uno',
  link: 'no lleva el hash del asiento anterior',
  hash: 'su hash no es el de su contenido',
  sum: 'su saldo no es el saldo anterior más su monto',
  closed: 'la cuenta ya estaba cerrada',
  account: 'la cuenta y la cadena no coinciden en si el cliente existe',
  balance: 'el saldo del cliente no es el de la cadena',
  transaction: 'la lista del cliente no coincide con lo asentado',
  unposted: 'hay un movimiento que nunca se asentó',
} as const

/** The first entry, by customer and sequence, that does not hold; the audit's come last. */
export type BrokenEntry = {
  /** Null for a row of the audit, which is one chain for the whole bank. */
  readonly customerId: string | null
  /** Null where what is wrong has no entry at all. */
  readonly seq: number | null
  readonly fault: keyof typeof ledgerFaults
}

/** What a verification found. */
export type LedgerVerdict = {
  readonly entries: number
  readonly customers: number
  readonly auditRows: number
  readonly broken: BrokenEntry | null
}

/** A broken entry in words for the operator, without a full stop. */
export function describeBroken({ customerId, seq, fault }: BrokenEntry): string {
  const place =
    customerId === null
      ? `la auditoría, fila ${seq}`
      : `el cliente ${customerId}, asiento ${seq ?? '(ninguno)'}`
  return `${place}: ${ledgerFaults[fault]}`
}

/** Some 20 ms of the embedded engine, which serves nothing else meanwhile. */
const portionEntriesMax = 2000

/**
 * Verifies all of it, or up to what is broken. `betweenPortions` lets others go first: it is called with
 * the milliseconds that the last portion took. Throws what the database throws.
 */
export async function verifyLedger(
  database: Pick<Database, 'transaction'>,
  betweenPortions: (lastMs: number) => Promise<void> = async () => undefined,
): Promise<LedgerVerdict> {
  const pace = async <T>(portion: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now()
    const answer = await portion()
    await betweenPortions(performance.now() - startedAt)
    return answer
  }
  const chains = await verifyChains(database, pace)
  const balances = await verifyBalances(database, pace)
  const audit = await verifyAudit(database, pace)
  const broken = firstOf(chains.broken, balances.broken) ?? audit.broken
  return { entries: chains.entries, customers: balances.customers, auditRows: audit.rows, broken }
}

type Pace = <T>(portion: () => Promise<T>) => Promise<T>
type Broken = { broken_customer: string | null; broken_seq: number | null; fault: BrokenEntry['fault'] }

async function verifyChains(database: Pick<Database, 'transaction'>, pace: Pace) {
  let entries = 0
  let after: { customer: string; seq: number } | null = null
  for (;;) {
    const portion: EntriesPortion = await pace(() => checkEntries(database, after))
    entries += portion.entries
    const broken = brokenEntryOf(portion)
    const { last_customer: customer, last_seq: seq } = portion
    if (broken !== null || portion.entries < portionEntriesMax || customer === null || seq === null)
      return { entries, broken }
    after = { customer, seq }
  }
}

type EntriesPortion = Broken & { entries: number; last_customer: string | null; last_seq: number | null }

async function checkEntries(
  database: Pick<Database, 'transaction'>,
  after: { customer: string; seq: number } | null,
): Promise<EntriesPortion> {
  return one(
    await database.transaction(asVerifier, [
      sql<EntriesPortion>`
        select * from ledger.check_entries(
          ${after?.customer ?? null}, ${after?.seq ?? null}, ${portionEntriesMax})`,
    ]),
  )
}

async function verifyBalances(database: Pick<Database, 'transaction'>, pace: Pace) {
  let customers = 0
  let after: string | null = null
  for (;;) {
    const portion: BalancesPortion = await pace(() => checkBalances(database, after))
    customers += portion.customers
    const broken = brokenEntryOf(portion)
    if (broken !== null || portion.last_customer === null) return { customers, broken }
    after = portion.last_customer
  }
}

type BalancesPortion = Broken & { customers: number; last_customer: string | null }

async function checkBalances(
  database: Pick<Database, 'transaction'>,
  after: string | null,
): Promise<BalancesPortion> {
  return one(
    await database.transaction(asVerifier, [
      sql<BalancesPortion>`select * from ledger.check_balances(${after}, ${portionEntriesMax})`,
    ]),
  )
}

async function verifyAudit(database: Pick<Database, 'transaction'>, pace: Pace) {
  let rows = 0
  let after: number | null = null
  for (;;) {
    const portion: AuditPortion = await pace(() => checkAudit(database, after))
    rows += portion.rows
    const { broken_id: seq, fault, last_id } = portion
    if (seq !== null) return { rows, broken: { customerId: null, seq, fault } }
    if (portion.rows < portionEntriesMax) return { rows, broken: null }
    after = last_id
  }
}

type AuditPortion = {
  rows: number
  last_id: number | null
  broken_id: number | null
  fault: BrokenEntry['fault']
}

async function checkAudit(
  database: Pick<Database, 'transaction'>,
  after: number | null,
): Promise<AuditPortion> {
  return one(
    await database.transaction(asVerifier, [
      sql<AuditPortion>`select * from ledger.check_audit(${after}, ${portionEntriesMax})`,
    ]),
  )
}

const asVerifier = asCaller({ role: 'service_role' }, 'read')

function one<R>([[row]]: [R[]]): R {
  if (row === undefined) throw new Error('A check of the ledger answered nothing.')
  return row
}

function brokenEntryOf({ broken_customer, broken_seq, fault }: Broken): BrokenEntry | null {
  return broken_customer === null ? null : { customerId: broken_customer, seq: broken_seq, fault }
}

/** Of two, the one that comes first by customer and sequence; what has no entry comes last. */
function firstOf(one: BrokenEntry | null, other: BrokenEntry | null): BrokenEntry | null {
  if (one === null || other === null) return one ?? other
  if (one.customerId !== other.customerId)
    return (one.customerId ?? '') < (other.customerId ?? '') ? one : other
  return (one.seq ?? Number.POSITIVE_INFINITY) <= (other.seq ?? Number.POSITIVE_INFINITY) ? one : other
}
