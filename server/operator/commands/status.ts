/**
 * `npm run status`: shows the state of the bank and its alarms. Exits with code 0 if a server runs, the last check of
 * the ledger found no error, and no alarm is open. Otherwise exits with code 1.
 */
import {
  type BankState,
  alarmsOf,
  factsOf,
  isAllWell,
  isServed,
} from '@finanzas/contract/operations/facts.ts'
import { alarmCopy } from '@finanzas/contract/operations/copy.ts'
import { type Outcome, counted, refuseWords, runCommandLine } from '#operator/command-line.ts'
import { runCommand } from '#operator/run-command.ts'
import { callRunningServer } from '#operator/socket.ts'
import { requireBank } from '#operator/command.ts'
import { newestMigration } from '#database/migrate.ts'
import { withFreeSpace } from '#operations/read-bank-state.ts'
import type { Config } from '#settings/config.ts'

await runCommandLine(
  {
    usage:
      'npm run status -- [--json]   (código 1 con una alarma abierta, sin servidor o si el libro no es correcto)',
    options: {},
  },
  async ({ positionals }, config) => {
    refuseWords(positionals)
    return outcomeOf(await read(config))
  },
)

async function read(config: Config): Promise<BankState> {
  await requireBank(config)
  if (config.database !== null) return runCommand(config, 'status', {})
  const reply = await callRunningServer(config.dataDir, 'status', {})
  if (reply !== null) return withFreeSpace(reply.answer as BankState, config.dataDir)
  // No server runs in this data directory. The last report in the database may still say otherwise, because it may be a
  // few seconds old.
  return { ...(await runCommand(config, 'status', {})), servers: [], serving_since: null }
}

function outcomeOf(state: BankState): Outcome {
  const isGood = isAllWell(state)
  const facts = factsOf(state, newestMigration()).map(({ label, lines }) => `${label}: ${lines.join('\n  ')}`)
  const alarms = alarmsOf(state)
  const open = alarms.filter(({ ended }) => ended === null)
  const over = alarms.filter(({ ended }) => ended !== null)
  const placeOf = (server: string | null) => (server === null ? '' : ` (${server})`)
  return {
    sentences: [
      ...facts,
      '',
      ...open.flatMap(({ title, server, begun, meaning, remedy }) => [
        `ALARMA: ${title}${placeOf(server)}, desde ${begun}.`,
        `  ${meaning}`,
        `  Qué hacer: ${remedy}`,
      ]),
      ...over.map(
        ({ title, server, begun, ended }) => `Terminó: ${title}${placeOf(server)}, de ${begun} a ${ended}.`,
      ),
      isGood ? 'Todo está bien.' : summaryOf(state, open.length),
    ],
    result: { ...state, isAllWell: isGood },
    isGood,
  }
}

function summaryOf(state: BankState, open: number): string {
  return [
    isServed(state) ? '' : 'Ningún servidor del banco está en marcha.',
    state.is_ledger_broken ? `${alarmCopy['ledger-broken'].title}.` : '',
    open === 0 ? '' : `${counted(open, 'alarma abierta', 'alarmas abiertas')}.`,
  ]
    .filter(Boolean)
    .join(' ')
}
