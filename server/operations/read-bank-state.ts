/** Reads the state of the bank for the server's reports and for `npm run status`. */
import type { BankState } from '@finanzas/contract/operations/facts.ts'
import { freeBytes } from '#data-directory/disk-space.ts'
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'

export async function readBankState(database: Database): Promise<BankState> {
  const [[row]] = await database.transaction(asService('supabase_auth_admin', 'read'), [
    sql<{ state: BankState }>`select to_jsonb(private.bank_state(true)) as state`,
  ])
  if (row === undefined) throw new Error('The function answered nothing.')
  return row.state
}

/**
 * Returns the state with the present free space on the disk of `dataDir`. The last report of the server in this
 * directory may be old, because a server cannot store its report on a full disk.
 */
export function withFreeSpace(state: BankState, dataDir: string): BankState {
  const servers = state.servers.map((server) =>
    server.is_gone ? server : { ...server, disk_free_bytes: freeBytes(dataDir) },
  )
  return { ...state, servers }
}
