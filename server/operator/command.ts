import type { Backups } from '#backup/backups.ts'
import type { Database, Owner } from '#database/database.ts'

/** An open, migrated bank that no other process uses. */
export type CommandContext = {
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

/** Input and answer are JSON. Throws `CommandRefused`. */
export type OperatorCommand<Input, Answer> = (context: CommandContext, input: Input) => Promise<Answer>

export type OperatorCommands = Readonly<Record<string, OperatorCommand<never, unknown>>>

/** Why a command is not carried out, in a sentence for the operator. */
export class CommandRefused extends Error {
  override readonly name = 'CommandRefused'
}
