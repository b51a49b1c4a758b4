/** Runs one of the operator's commands where the bank is: in the server that has it open, or here. */
import type { Config } from '#config.ts'
import { openForCommand } from '#open-bank.ts'
import { askRunningServer } from './ask.ts'
import type { OperatorCommand } from './bank.ts'
import { type CommandName, operatorCommands } from './registry.ts'
import { refuseWithoutBank } from './bank-here.ts'

/** What a command is given and what it answers. */
type Given<N extends CommandName> = Parameters<(typeof operatorCommands)[N]>[1]
type Answer<N extends CommandName> = Awaited<ReturnType<(typeof operatorCommands)[N]>>

/**
 * Brings the command to the server that runs on this `DATA_DIR`; where none does, and on PostgreSQL, opens
 * the bank and runs the same function. Throws `CommandRefused`, also where there is no bank, and
 * what opening throws.
 */
export async function runOnBank<N extends CommandName>(
  config: Config,
  name: N,
  given: Given<N>,
): Promise<Answer<N>> {
  await refuseWithoutBank(config)
  const asked = config.database === null ? await askRunningServer(config.dataDir, name, given) : null
  if (asked !== null) return asked.answer as Answer<N>
  const bank = await openForCommand(config)
  try {
    const owner = await bank.connectOwner()
    try {
      const command = operatorCommands[name] as unknown as OperatorCommand<Given<N>, Answer<N>>
      return await command({ config, database: bank.database, owner, backups: bank.backups }, given)
    } finally {
      await owner.close()
    }
  } finally {
    await bank.close()
  }
}
