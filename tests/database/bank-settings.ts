/** The statement with which tests change the settings of a bank (`private.settings`). */
import { type SqlStatement, sql } from '#server/database/database.ts'
import type { BankSettings } from '#server/settings/settings.ts'

/** Writes the given settings, and leaves all others as they are. */
export const settings = (given: Partial<BankSettings>): SqlStatement =>
  sql`select private.set_settings(${JSON.stringify(given)})`
