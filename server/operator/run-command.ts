/** Runs an operator's command in the server that has the bank open, or in this process. */
import type { Config } from '#settings/config.ts'
import { openForCommand } from '#bank/open-bank.ts'
import { openKeys, openMailer } from './open-mailer.ts'
import { callRunningServer } from './socket.ts'
import { type OperatorCommand, requireBank } from './command.ts'
import { type CommandName, operatorCommands } from './registry.ts'

type Input<N extends CommandName> = Parameters<(typeof operatorCommands)[N]>[1]
type Answer<N extends CommandName> = Awaited<ReturnType<(typeof operatorCommands)[N]>>

/**
 * Sends the command to the server that runs in this `DATA_DIR`. If no server is running, or if the bank is on
 * PostgreSQL, opens the bank and runs the same function in this process. Throws `CommandRefused`, for example if no
 * bank exists. Also throws errors that occur when the bank is opened.
 */
export async function runCommand<N extends CommandName>(
  config: Config,
  name: N,
  input: Input<N>,
): Promise<Answer<N>> {
  await requireBank(config)
  const reply = config.database === null ? await callRunningServer(config.dataDir, name, input) : null
  if (reply !== null) return reply.answer as Answer<N>
  const context = await openForCommand(config)
  try {
    const owner = await context.connectOwner()
    try {
      const command = operatorCommands[name] as unknown as OperatorCommand<Input<N>, Answer<N>>
      const { database, backups } = context
      const mailer = () => openMailer(config, database)
      const keys = () => openKeys(config, database)
      return await command({ config, database, owner, backups, mailer, keys }, input)
    } finally {
      await owner.close()
    }
  } finally {
    await context.close()
  }
}
