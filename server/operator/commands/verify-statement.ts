/**
 * `npm run verify-statement FILE`: exits with code 0 if the bank signed the statement, receipt or certificate (PDF or CSV) and the
 * document matches the journal. Otherwise exits with code 1. With `--key`, the command does not open a bank and checks
 * only the signature.
 */
import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import { checkCertificate, isCertificate } from '@finanzas/contract/papers/certificate.ts'
import { type LedgerVerdict, checkStatement } from '@finanzas/contract/papers/check.ts'
import { verifyFile } from '@finanzas/contract/papers/file.ts'
import { type Paper, checkReceipt, declaredBy, isReceipt } from '@finanzas/contract/papers/receipt.ts'
import {
  type SignatureVerdict,
  type StatementKeys,
  readStatementKeys,
} from '@finanzas/contract/papers/signature.ts'
import type { Config } from '#settings/config.ts'
import {
  type Outcome,
  WrongUsage,
  pathOfFile,
  refuseWords,
  runCommandLine,
  standardStream,
} from '#operator/command-line.ts'
import { nameOf, sentencesOf, signedSentences } from '#operator/document-verdict.ts'
import { runCommand } from '#operator/run-command.ts'

await runCommandLine(
  {
    usage: `npm run verify-statement -- ARCHIVO [--key CLAVES] [--json]   (ARCHIVO - es la entrada estándar)
  CLAVES  el archivo que el banco publica en /.well-known/finanzas-statement-keys.json: sin banco ni cuenta`,
    options: { key: { type: 'string' } },
  },
  async ({ values: { key }, positionals: [name, ...others] }, config) => {
    refuseWords(others)
    if (name === undefined) throw new WrongUsage('Falta el archivo del extracto, comprobante o certificado.')
    const isGiven = name === standardStream
    const path = isGiven ? 'La entrada estándar' : pathOfFile(name)
    const keysPath = key === undefined ? null : pathOfFile(key)
    const bytes = isGiven ? await buffer(process.stdin) : await readFile(path)
    const readKeys = () =>
      keysPath === null ? runCommand(config, 'read-statement-keys', {}) : keysOf(keysPath)
    const verified = await verifyFile(bytes, readKeys)
    if (verified === null) {
      const sentence = `${path} NO ES un extracto, comprobante ni certificado tal como se descargó: es otro archivo, o lo cambiaron.`
      return { sentences: [sentence], result: { holds: false, fault: 'unreadable' }, isGood: false }
    }
    if (verified.signature === 'false' || verified.signature === 'unknown_key')
      return refused(verified.document, verified.signature, path)
    const { document, signature } = verified
    return keysPath === null ? compared(document, signature, config) : unopened(document, signature)
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

/** The document is `null` for a PDF, which is not read if its signature is not valid. */
function refused(document: Paper | null, signature: 'false' | 'unknown_key', path: string): Outcome {
  const why =
    signature === 'false'
      ? 'la firma no es la de este archivo, que fue cambiado'
      : 'está firmado con una clave que no es de este banco'
  return {
    sentences: [`NO ES AUTÉNTICO ${document === null ? path : nameOf(document)}: ${why}.`],
    result: { holds: false, fault: 'signature', signature, ...(document !== null && idsOf(document)) },
    isGood: false,
  }
}

/** Returns the output for a check with `--key`. */
function unopened(document: Paper, signature: 'valid' | 'unsigned'): Outcome {
  const isGood = signature === 'valid'
  return {
    sentences: isGood
      ? [...signedSentences(document), 'El libro no se consultó.']
      : [`SIN FIRMA ${nameOf(document)}: sin el libro del banco nada se puede comprobar.`],
    result: {
      holds: isGood,
      signature,
      ...idsOf(document),
      ...(isGood && { declared: declaredBy(document) }),
    },
    isGood,
  }
}

async function compared(
  document: Paper,
  signature: Exclude<SignatureVerdict, 'false' | 'unknown_key'>,
  config: Config,
): Promise<Outcome> {
  const verdict = await ledgerVerdict(document, config)
  const isGood = verdict.holds && signature === 'valid'
  return {
    sentences: sentencesOf(verdict, document),
    result: { ...verdict, signature, ...idsOf(document), ...(isGood && { declared: declaredBy(document) }) },
    isGood,
  }
}

async function ledgerVerdict(document: Paper, config: Config): Promise<LedgerVerdict> {
  const { account } = document
  const bank = { bankName: config.brandName, currency: config.displayCurrency }
  if (isCertificate(document)) {
    const asked = { account, untilSeq: document.lastSeq }
    return checkCertificate(document, await runCommand(config, 'read-certificate', asked), bank)
  }
  if (isReceipt(document)) {
    const { transaction, seq } = document
    const answer = await runCommand(config, 'read-receipt', { account, transaction, seq })
    return checkReceipt(document, answer, bank)
  }
  const asked = { account, month: document.month, untilSeq: document.lastSeq }
  return checkStatement(document, await runCommand(config, 'read-statement', asked), bank)
}

/** Returns the fields that identify the document in the command's JSON output. */
function idsOf(document: Paper): object {
  const { account } = document
  if (isCertificate(document)) return { account, issuedAt: document.issuedAt }
  return isReceipt(document)
    ? { account, transaction: document.transaction }
    : { account, month: document.month }
}
