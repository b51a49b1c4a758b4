/** Faults for the bank test to find, put into the throw-away database: the product has no switch for any. */
import { sql } from '#server/database/database.ts'
import type { BankPlace } from './place.ts'

/** Breaks the ledger of a place whose server runs on PostgreSQL. */
export async function plantInDatabase(
  place: BankPlace,
  plant: 'trigger' | 'read-modify-write',
): Promise<void> {
  const { owner, close } = await place.open()
  try {
    if (plant === 'trigger') {
      // Every third movement is not posted.
      await owner.script(`
        drop trigger post_transaction on public.transactions;
        create trigger post_transaction after insert or delete on public.transactions
          for each row when (pg_catalog.random() < 0.67) execute function private.post_transaction();`)
      return
    }
    const [row] = await owner.query(
      sql<{ text: string }>`select pg_get_functiondef('ledger.post'::regproc) as text`,
    )
    // Read, think, write: as a program does that reads the balance in one call and writes it in the next.
    const text = row?.text ?? ''
    const unlocked = text
      .replace(/for no key update;/, '; perform pg_sleep(0.002);')
      .replace(
        'insert into ledger.journal select entry.*;',
        'insert into ledger.journal select entry.* on conflict do nothing;',
      )
    if (unlocked.split('pg_sleep').length !== 2 || !unlocked.includes('on conflict'))
      throw new Error('The planted fault finds nothing to break.')
    await owner.script(unlocked)
  } finally {
    await close()
  }
}
