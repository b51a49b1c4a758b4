/** How tests change the settings of a bank (`private.settings`). */
import { type SqlStatement, sql } from '#server/database/database.ts'
import type { BankSettings } from '#server/settings/settings.ts'

/** Writes the given settings, and leaves all others as they are. */
export const settings = (given: Partial<BankSettings>): SqlStatement =>
  sql`select private.set_settings(${JSON.stringify(given)})`

/** Returns the variables with which a server sets the given settings. */
export const environmentOf = (given: Partial<BankSettings>): Record<string, string> =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [name.toUpperCase(), String(value)]))
