/**
 * Finds the user whose address a command names, and runs the command's statements in one database transaction with the
 * operator as the actor.
 */
import { SqlError, type SqlStatement, sql } from '#database/database.ts'
import { asService } from '#database/scope.ts'
import { readEmail } from '#people/email.ts'
import { type CommandContext, CommandRefused } from './command.ts'

/**
 * The database rights of commands that act on users. `asOperator` must be the first statement, because it sets the
 * actor for the audit log.
 */
export const operatorScope = asService('supabase_auth_admin', 'write')
export const asOperator = sql`select private.act_as('operator')`

/** Returns the address in the form in which accounts store it. Throws `CommandRefused`. */
export function addressOf(text: string): string {
  const email = readEmail(text)
  if (email === null) throw new CommandRefused(`La dirección de correo no es válida: ${text}`)
  return email
}

/**
 * Runs the statements of a command. Throws `CommandRefused` if the user is unknown or if the database refuses a
 * statement; in the second case the error has the database's message.
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
