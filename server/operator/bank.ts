/** What an operator's command works with, in the server's process or in its own. */
import type { Backups } from '#backup/backups.ts'
import type { Database, Owner } from '#database/database.ts'

/** An open bank: migrated, and nobody else's at this moment but the server's that runs on it. */
export type Bank = {
  readonly config: {
    readonly dataDir: string
    readonly brandName: string
    readonly siteUrl: string
    readonly passwordLengthMin: number
  }
  readonly database: Database
  readonly owner: Owner
  /** `null` where the command itself opens what a backup needs. */
  readonly backups: Backups | null
}

/**
 * One command: what it was given, as JSON carries it, and what it answers, as JSON carries it. Throws
 * `CommandRefused` with a sentence for the operator.
 */
export type OperatorCommand<Given, Answer> = (bank: Bank, given: Given) => Promise<Answer>

/** The commands that a bank knows, by name. */
export type OperatorCommands = Readonly<Record<string, OperatorCommand<never, unknown>>>

/** What keeps a command from being carried out, in a sentence that says what to do. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
}
