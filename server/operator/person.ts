/**
 * Finds the person by the address in a command, and runs the command's statements in one database transaction of the
 * operator.
 */
import { SqlError, type SqlStatement, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { readEmail } from '#identity/email.ts'
import { type CommandContext, CommandRefused } from './command.ts'

/** The rights for commands about people. `asOperator` must be the first statement: it sets the actor in the audit. */
export const operatorScope = asService('supabase_auth_admin', 'write')
export const asOperator = sql`select private.act_as('operator')`

/** Returns the address in the format of accounts. Throws `CommandRefused`. */
export function addressOf(text: string): string {
  const email = readEmail(text)
  if (email === null) throw new CommandRefused(`La dirección de correo no es válida: ${text}`)
  return email
}

/**
 * Runs the statements of a command. Throws `CommandRefused` if the person is unknown or the database refuses; the
 * refusal of the database is its message.
 */
export async function actOn(
  { database }: CommandContext,
  email: string,
  statements: (id: string) => readonly SqlStatement[],
): Promise<readonly object[]> {
  const [[person]] = await database.transaction(asService('supabase_auth_admin', 'read'), [
    sql<{ id: string }>`select u.id from auth.users u where u.email = ${email}`,
  ])
  if (person === undefined) throw new CommandRefused(`No hay ninguna cuenta con la dirección ${email}.`)
  try {
    const rows = await database.transaction(operatorScope, [asOperator, ...statements(person.id)])
    return rows.at(-1) ?? []
  } catch (error) {
    if (!(error instanceof SqlError) || !/^PT4\d\d$/.test(error.sqlState)) throw error
    throw new CommandRefused(error.message, { cause: error })
  }
}
