/**
 * `npm run status`: shows the state of the bank and its alarms. Exits with code 0 if a server runs and no alarm is open,
 * and with code 1 otherwise.
 */
import { type BankState, alarmsOf, factsOf, isAllWell } from '@finanzas/contract/status/facts.ts'
import { type Outcome, counted, refuseWords, runCommandLine } from '#operator/command-line.ts'
import { runCommand } from '#operator/run-command.ts'
import { callRunningServer } from '#operator/socket.ts'
import { requireBank } from '#operator/command.ts'
import type { Config } from '#settings/config.ts'

await runCommandLine(
  { usage: 'npm run status -- [--json]   (código 1 con una alarma abierta o sin servidor)', options: {} },
  async ({ positionals }, config) => {
    refuseWords(positionals)
    return outcomeOf(await read(config))
  },
)

async function read(config: Config): Promise<BankState> {
  await requireBank(config)
  if (config.database !== null) return runCommand(config, 'status', {})
  const reply = await callRunningServer(config.dataDir, 'status', {})
  if (reply !== null) return reply.answer as BankState
  // No server has this bank open, even if its last report is only seconds old.
  return { ...(await runCommand(config, 'status', {})), servers: [], serving_since: null }
}

function outcomeOf(state: BankState): Outcome {
  const isGood = isAllWell(state)
  const facts = factsOf(state).map(({ label, lines }) => `${label}: ${lines.join('\n  ')}`)
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
  const isServed = state.servers.some((server) => !server.is_gone)
  const alarms = open === 0 ? '' : ` ${counted(open, 'alarma abierta', 'alarmas abiertas')}.`
  return `${isServed ? '' : 'Ningún servidor del banco está en marcha.'}${alarms}`.trim()
}
