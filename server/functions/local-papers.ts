/** Statements and receipts on this server. */
import { statementsAtOnceMax, statementsPerNetworkMax } from '@finanzas/contract/limits.ts'
import type { CertificateAnswer } from '@finanzas/contract/papers/certificate.ts'
import {
  type HolderAnswer,
  type HolderRow,
  holderOf,
  holderOfAnswer,
} from '@finanzas/contract/papers/particulars.ts'
import type { ReceiptAnswer } from '@finanzas/contract/papers/receipt.ts'
import type { SigningKey } from '@finanzas/contract/papers/signature.ts'
import type { StatementAnswer } from '@finanzas/contract/papers/statement.ts'
import { sql } from '#database/database.ts'
import { asCaller } from '#database/scope.ts'
import { openStatementKey } from '#database/statement-keys.ts'
import { FunctionError, unavailable } from '#functions/handlers/errors.ts'
import type { FunctionRuntime } from '#functions/handlers/runtime.ts'
import { certifierOf, hasExpired } from '#papers/certificate.ts'
import { becomeAuthenticationService } from './local-access.ts'
import type { LocalCall } from './local-call.ts'

type Papers = Pick<
  FunctionRuntime,
  | 'bank'
  | 'inTurn'
  | 'readHolder'
  | 'recordStatement'
  | 'readStatement'
  | 'readReceipt'
  | 'readCertificate'
  | 'openStatementKey'
  | 'writePdf'
>

export function localPapers({ services, context, signedIn, read, write }: LocalCall): Papers {
  const { database, throttle, keys, config, statementsAtWork: atWork } = services
  const { caller, network, left } = context
  return {
    bank: {
      bankName: config.brandName,
      currency: config.displayCurrency,
      particulars: config.bankParticulars,
    },
    async inTurn(work) {
      const { sub } = signedIn()
      const { session } = asCaller(caller, 'read')
      const ofNetwork = [...atWork.values()].filter((each) => each === network).length
      // A refused call does not consume the rate limit.
      if (atWork.has(sub) || atWork.size >= statementsAtOnceMax || ofNetwork >= statementsPerNetworkMax)
        throw unavailable(null)
      atWork.set(sub, network)
      try {
        await throttle.consume([{ limit: 'statement', subject: sub }], { session })
        return await work()
      } finally {
        atWork.delete(sub)
      }
    },
    async readHolder() {
      const rows = await read([
        sql`
          select h.full_name, h.account_number, h.document_kind, h.document_number
          from public.account_holders h where h.user_id = ${signedIn().sub}`,
        becomeAuthenticationService,
        sql`
          select coalesce(btrim(u.raw_user_meta_data ->> 'full_name'), '') as "fullName", coalesce(u.email, '') as email
          from auth.users u where u.id = ${signedIn().sub}`,
      ])
      return holderOf(rows[0]?.[0] as HolderRow, rows[2]?.[0] as { fullName: string; email: string })
    },
    async recordStatement({ user_id, month, reason }) {
      const [, rows] = await write([
        sql`select public.issue_statement(${user_id}, ${`${month}-01`}::date, ${reason})::jsonb as answer`,
      ])
      return holderOfAnswer(rows?.[0]?.['answer'] as HolderAnswer)
    },
    async readStatement({ month, user_id }, { afterRow, untilSeq }) {
      left.throwIfAborted()
      const day = `${month}-01`
      const [rows] = await read([
        user_id === null
          ? sql`select public.statement(${day}::date, ${untilSeq}, ${afterRow})::jsonb as answer`
          : sql`
              select public.read_customer_statement(${user_id}, ${day}::date, ${untilSeq}, ${afterRow})::jsonb as answer`,
      ])
      return rows?.[0]?.['answer'] as StatementAnswer
    },
    async readReceipt({ transaction_id, user_id, reason }) {
      // Uses a write transaction, because a receipt that an administrator requests adds an entry to the audit log.
      const [, rows] = await write([
        sql`select to_jsonb(public.receipt(${transaction_id}, ${user_id}, null, ${reason})) as answer`,
      ])
      return rows?.[0]?.['answer'] as ReceiptAnswer
    },
    async readCertificate({ user_id, reason }) {
      const [, rows] = await write([
        sql`select to_jsonb(public.balance_certificate(${user_id}, null, ${reason})) as answer`,
      ])
      return rows?.[0]?.['answer'] as CertificateAnswer
    },
    openStatementKey: () => {
      if (services.paperKey !== null) return Promise.resolve(unexpired(services.paperKey))
      const { brandName: bankName, bankParticulars } = config
      const certifier = certifierOf({ bankName, taxNumber: bankParticulars.taxNumber })
      return openStatementKey(database, keys.statements, certifier)
    },
    writePdf: (csv, key) => services.papers.write(csv, key, left),
  }
}

/** Refuses to sign with a certificate that has expired since the server started. */
function unexpired(key: SigningKey): SigningKey {
  const [certificate] = key.publicKey.x5c ?? []
  if (certificate === undefined || hasExpired(certificate))
    throw new FunctionError(
      503,
      'El certificado con el que firma el banco venció. El banco lo tiene que renovar.',
    )
  return key
}
