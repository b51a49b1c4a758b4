/** Fills the demo with a deposit that waits for the first administrator. */
import { type Database, sql } from '#database/database.ts'
import { setStaffRules } from '#identity/staff-access.ts'
import { addressOf, endSessions, openAdministratorSession } from './people.ts'
import { type Currency, amountIn } from './transactions.ts'

/** Sets the bank's rules for administrators, which the server also sets at each start, and then orders the deposit. */
export async function fillApproval(
  database: Database,
  { currency, rules }: { readonly currency: Currency; readonly rules: Parameters<typeof setStaffRules>[1] },
): Promise<void> {
  await setStaffRules(database, rules)
  await database.transaction(await openAdministratorSession(database), [
    sql`
      select private.register_transaction(
        s.id, 'deposit', ${amountIn(currency, 1_800)}, 'Premio del concurso', now(), 'Deposito')
      from public.user_safe s where s.email = ${addressOf('laura')}`,
  ])
  await endSessions(database)
}
