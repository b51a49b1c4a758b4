/** The check that a restored ledger must pass before anybody is served from it. */
import type { Database, Owner, RowsOf, SqlStatement } from '#database/database.ts'
import type { Scope } from '#database/database.ts'
import { describeBroken, verifyLedger } from '#ledger/verify.ts'
import { BackupRefused } from './refusal.ts'

/** Throws `BackupRefused` that names the first customer and entry that do not hold. */
export async function refuseBrokenLedger(owner: Owner): Promise<void> {
  const { broken } = await verifyLedger(withOwnersRights(owner))
  if (broken === null) return
  throw new BackupRefused(
    `El libro de esta copia no es correcto: ${describeBroken(broken)}. No se pone en servicio; usa una copia anterior.`,
  )
}

/** While a bank is loaded there is no login yet that could serve: the owner asks. */
function withOwnersRights(owner: Owner): Pick<Database, 'transaction'> {
  return {
    async transaction<const S extends readonly SqlStatement<unknown>[]>(_scope: Scope, statements: S) {
      const rows: unknown[][] = []
      for (const statement of statements) rows.push(await owner.query(statement))
      return rows as RowsOf<S>
    },
  }
}
