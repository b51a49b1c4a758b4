/** Writes the settings that the database enforces. */
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import type { BankSettings } from './settings.ts'

/** Writes the given settings, and leaves all others as they are. A server writes all of them at each start. */
export async function setBankSettings(database: Database, settings: Partial<BankSettings>): Promise<void> {
  await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`select private.set_settings(${JSON.stringify(settings)})`,
  ])
}
