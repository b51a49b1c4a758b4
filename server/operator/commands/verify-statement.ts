/** `npm run verify-statement FILE`: exit code 0 when a statement, PDF or CSV, is what the journal says, 1 with what is not. */
import { readFile } from 'node:fs/promises'
import { type StatementVerdict, checkStatement } from '@finanzas/contract/statement/check.ts'
import { monthInWords } from '@finanzas/contract/statement/copy.ts'
import { readStatementFile } from '@finanzas/contract/statement/file.ts'
import type { Statement } from '@finanzas/contract/statement/statement.ts'
import { WrongUsage, counted, pathOfFile, refuseWords, runCommandLine } from '#operator/command-line.ts'
import { runCommand } from '#operator/run-command.ts'

await runCommandLine(
  { usage: 'npm run verify-statement -- ARCHIVO [--json]', options: {} },
  async ({ positionals: [name, ...others] }, config) => {
    refuseWords(others)
    if (name === undefined) throw new WrongUsage('Falta el archivo del extracto.')
    const path = pathOfFile(name)
    const statement = readStatementFile(await readFile(path), (utf8) =>
      new TextDecoder('utf-8', { ignoreBOM: true }).decode(utf8),
    )
    if (statement === null) {
      const sentence = `${path} NO ES un extracto tal como se descargó: es otro archivo, o lo cambiaron.`
      return { sentences: [sentence], result: { holds: false, fault: 'unreadable' }, isGood: false }
    }
    const { account, month, lastSeq } = statement
    const verdict = checkStatement(
      statement,
      await runCommand(config, 'read-statement', { account, month, untilSeq: lastSeq }),
    )
    return {
      sentences: sentencesOf(verdict, statement),
      result: { ...verdict, account, month },
      isGood: verdict.holds,
    }
  },
)

function sentencesOf(verdict: StatementVerdict, { account, month, rows }: Statement): string[] {
  const faults = {
    account: 'la cuenta no existe',
    sum: 'sus montos no suman su saldo final',
    head: 'su huella no es la del libro',
    opening: 'su saldo inicial no es el del libro',
  } as const
  const name = `el extracto de ${monthInWords(month)} de la cuenta ${account}`
  if (!verdict.holds) {
    const fault =
      verdict.fault === 'row' ? `el asiento ${verdict.seq} no es lo que dice el libro` : faults[verdict.fault]
    return [`NO ES AUTÉNTICO ${name}: ${fault}.`]
  }
  return [
    `Es auténtico ${name}: ${counted(rows.length, 'asiento coincide', 'asientos coinciden')} con el libro.`,
    'El nombre del cliente no se compara: el libro no lo tiene.',
    ...(verdict.isWhole ? [] : ['Se emitió antes de que terminara el mes: después hubo más asientos.']),
    ...(verdict.withoutWords === 0
      ? []
      : [`Sin lista con qué comparar su descripción: ${counted(verdict.withoutWords, 'fila', 'filas')}.`]),
  ]
}
