/**
 * `npm run verify-statement FILE`: exit code 0 when the bank signed the statement (PDF or CSV) and the journal agrees
 * with it; 1 otherwise. With `--key` it opens no bank and checks only the signature.
 */
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { type LedgerVerdict, checkStatement } from '@finanzas/contract/statement/check.ts'
import { monthInWords, statementCopy } from '@finanzas/contract/statement/copy.ts'
import { readStatementFile } from '@finanzas/contract/statement/file.ts'
import {
  type SignatureVerdict,
  type StatementKeys,
  checkSignature,
  readStatementKeys,
} from '@finanzas/contract/statement/signature.ts'
import type { Statement } from '@finanzas/contract/statement/statement.ts'
import type { Config } from '#settings/config.ts'
import {
  type Outcome,
  WrongUsage,
  counted,
  pathOfFile,
  refuseWords,
  runCommandLine,
  standardStream,
} from '#operator/command-line.ts'
import { runCommand } from '#operator/run-command.ts'

await runCommandLine(
  {
    usage: `npm run verify-statement -- ARCHIVO [--key CLAVES] [--json]   (ARCHIVO - es la entrada estándar)
  CLAVES  el archivo que el banco publica en /.well-known/finanzas-statement-keys.json: sin banco ni cuenta`,
    options: { key: { type: 'string' } },
  },
  async ({ values: { key }, positionals: [name, ...others] }, config) => {
    refuseWords(others)
    if (name === undefined) throw new WrongUsage('Falta el archivo del extracto.')
    const isGiven = name === standardStream
    const path = isGiven ? 'La entrada estándar' : pathOfFile(name)
    const keysPath = key === undefined ? null : pathOfFile(key)
    const statement = readStatementFile(isGiven ? await buffer(process.stdin) : await readFile(path))
    if (statement === null) {
      const sentence = `${path} NO ES un extracto tal como se descargó: es otro archivo, o lo cambiaron.`
      return { sentences: [sentence], result: { holds: false, fault: 'unreadable' }, isGood: false }
    }
    const keys =
      keysPath === null ? await runCommand(config, 'read-statement-keys', {}) : await keysOf(keysPath)
    const signature = await checkSignature(statement, keys)
    if (signature === 'false' || signature === 'unknown_key') return refused(statement, signature)
    return keysPath === null ? compared(statement, signature, config) : unopened(statement, signature)
  },
)

async function keysOf(path: string): Promise<StatementKeys> {
  const keys = readStatementKeys(
    await readFile(path, 'utf8')
      .then(JSON.parse)
      .catch(() => null),
  )
  if (keys === null) throw new WrongUsage(`${path} no es el archivo de claves de un banco.`)
  return keys
}

function refused({ account, month }: Statement, signature: 'false' | 'unknown_key'): Outcome {
  const why =
    signature === 'false'
      ? 'la firma no es la de este texto, que fue cambiado'
      : 'está firmado con una clave que no es de este banco'
  return {
    sentences: [`NO ES AUTÉNTICO el extracto: ${why}.`],
    result: { holds: false, fault: 'signature', signature, account, month },
    isGood: false,
  }
}

/** Prints the result when only the signature was checked. */
function unopened(statement: Statement, signature: 'valid' | 'unsigned'): Outcome {
  const { account, month } = statement
  const isGood = signature === 'valid'
  return {
    sentences: isGood
      ? [`Es auténtico ${signedWords(statement)}.`, statementCopy.declared, 'El libro no se consultó.']
      : [`SIN FIRMA ${nameOf(statement)}: sin el libro del banco nada se puede comprobar.`],
    result: { holds: isGood, signature, account, month },
    isGood,
  }
}

async function compared(
  statement: Statement,
  signature: Exclude<SignatureVerdict, 'false' | 'unknown_key'>,
  config: Config,
): Promise<Outcome> {
  const { account, month, lastSeq } = statement
  const verdict = checkStatement(
    statement,
    await runCommand(config, 'read-statement', { account, month, untilSeq: lastSeq }),
    { bankName: config.brandName, currency: config.displayCurrency },
  )
  return {
    sentences: sentencesOf(verdict, statement),
    result: { ...verdict, signature, account, month },
    isGood: verdict.holds && signature === 'valid',
  }
}

function sentencesOf(verdict: LedgerVerdict, statement: Statement): string[] {
  const faults = {
    account: 'la cuenta no existe',
    bank: 'no lleva el nombre de este banco',
    currency: 'no está en la moneda de este banco',
    sum: 'sus montos no suman su saldo final',
    head: 'su huella no es la del libro',
    opening: 'su saldo inicial no es el del libro',
  } as const
  if (!verdict.holds) {
    const fault =
      verdict.fault === 'row' ? `el asiento ${verdict.seq} no es lo que dice el libro` : faults[verdict.fault]
    return [`NO ES AUTÉNTICO ${nameOf(statement)}: ${fault}.`]
  }
  const rows = counted(statement.rows.length, 'asiento coincide', 'asientos coinciden')
  const partly = verdict.isWhole
    ? []
    : ['Después de emitirlo, el libro cambió movimientos con fecha de ese mes o anterior.']
  if (statement.signature !== null)
    return [
      `Es auténtico ${signedWords(statement)}.`,
      statementCopy.declared,
      `${rows} con el libro.`,
      ...partly,
    ]
  return [
    `SIN FIRMA ${nameOf(statement)}: ${rows} con el libro en número, tipo, fecha, hora, monto y saldo; también la huella, el banco y la moneda.`,
    'El cliente, la fecha de emisión y las categorías no se pueden comparar.',
    ...otherWords(verdict.otherWords),
    ...partly,
  ]
}

/** Maximum number of sequence numbers that the message lists. */
const namedMax = 20

function otherWords(rows: readonly number[]): string[] {
  if (rows.length === 0) return []
  const named = rows.slice(0, namedMax).join(', ')
  return [
    `Con otra descripción que en la lista de hoy, porque cambió, se quitó o se falsificó: ${named}${rows.length > namedMax ? '…' : ''}.`,
  ]
}

function nameOf({ account, month }: Statement): string {
  return `el extracto de ${monthInWords(month)} de la cuenta ${account}`
}

function signedWords(statement: Statement): string {
  const { bankName, customer, currency, issuedAt } = statement
  return `${nameOf(statement)}: lo firmó el banco como ${bankName}, para ${customer}, en ${statementCopy.currencies[currency].toLowerCase()}, el ${issuedAt}`
}
