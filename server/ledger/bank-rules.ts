/** At the start of a server, writes the settings that the database enforces. */
import { type Database, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'

export type TransferRules = {
  /** A transfer up to this amount, in units of the currency, needs no decision by an administrator. */
  readonly automaticMax: number
  readonly transferMax: number
  readonly dayMax: number
  readonly expiresHours: number
}

/** Enables exactly these features of the bank, after writing the limits of transfers. */
export async function setFeatures(
  database: Database,
  { features, transfers }: { readonly features: readonly string[]; readonly transfers: TransferRules },
): Promise<void> {
  const { automaticMax, transferMax, dayMax, expiresHours } = transfers
  await database.transaction(asService('supabase_auth_admin', 'write'), [
    sql`select private.set_transfer_rules(${automaticMax}, ${transferMax}, ${dayMax}, ${expiresHours})`,
    sql`
      select private.set_features(array(select jsonb_array_elements_text(${JSON.stringify(features)}::jsonb)))`,
  ])
}

type ClearingRules = {
  readonly brandName: string
  readonly displayCurrency: string
  /**
   * The account from which the bank settles its clearing; `null` if the clearing files do not need to contain this
   * account.
   */
  readonly clearingAccount: string | null
}

/** Stores the bank's name, account and currency for its clearing files (docs/decisions/0070). */
export async function setClearingRules(
  database: Database,
  { brandName, displayCurrency, clearingAccount }: ClearingRules,
): Promise<void> {
  await database.transaction(asService('supabase_auth_admin', 'write'), [
    // ISO 20022 writes NOTPROVIDED for an account that the receiver knows.
    sql`select private.set_clearing_rules(${brandName}, ${clearingAccount ?? 'NOTPROVIDED'}, ${displayCurrency})`,
  ])
}
