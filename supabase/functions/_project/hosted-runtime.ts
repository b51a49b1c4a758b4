/**
 * The functions' runtime on a hosted project. The runtime uses the service key to call SQL functions through the table
 * API on behalf of the caller. For users and passwords, the runtime calls the authentication service.
 */
import { openSigningKey } from '@finanzas/contract/papers/signature.ts'
import type { CertificateAnswer } from '@finanzas/contract/papers/certificate.ts'
import {
  type HolderAnswer,
  type HolderRow,
  holderOf,
  holderOfAnswer,
} from '@finanzas/contract/papers/particulars.ts'
import type { ReceiptAnswer } from '@finanzas/contract/papers/receipt.ts'
import type { PagePlace, StatementAnswer } from '@finanzas/contract/papers/statement.ts'
import { notSignedIn, sessionEnded, tooManyRequests, unavailable } from '#server/functions/handlers/errors.ts'
import type { FunctionRuntime, OrderAnswer } from '#server/functions/handlers/runtime.ts'
import {
  ApiError,
  type Clients,
  type Project,
  actorArguments,
  callSql,
  publicClient,
  readCaller,
  serviceClient,
} from './clients.ts'
import { changeEmail, resendLink } from './change-access.ts'
import { createUser } from './create-user.ts'

/** Time to wait after a refused sign-in. The authentication service does not say how long to wait. */
const passwordRetrySeconds = 60

/** Returns the runtime for one call; `authorization` is the value of the request's `Authorization` header. */
export function hostedRuntime(project: Project, authorization: string | null): FunctionRuntime {
  const token = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? null
  const service = serviceClient(project)
  let admitted: Pick<Clients, 'caller' | 'sessionId'> | null = null

  const clients = (): Clients => {
    if (admitted === null) throw notSignedIn()
    return { ...admitted, service, user: publicClient(project, token), anon: publicClient(project, null) }
  }
  return {
    async admit() {
      if (token === null) throw notSignedIn()
      admitted = await readCaller(service, token)
    },
    fingerprint: (body) => fingerprintOf(project.serviceRoleKey, body),

    async recordTransaction(transaction, key) {
      const actor = actorArguments(clients(), key)
      return (await callSql(service.rpc('register_transaction', { ...transaction, ...actor }))) as OrderAnswer
    },
    createUser: (user, key) => createUser(clients(), user, key),
    resendLink: (userId, key) => resendLink(clients(), userId, key),
    changeEmail: (change, key) => changeEmail(clients(), change, key),
    async deleteUser(userId, key) {
      const actor = actorArguments(clients(), key)
      return (await callSql(service.rpc('delete_user', { user_id: userId, ...actor }))) as OrderAnswer
    },
    isOwnPassword: (password) => isOwnPassword(clients(), password),
    async eraseOwnAccount() {
      await callSql(service.rpc('erase_account', { user_id: clients().caller.id }))
    },

    bank: project.bank,
    inTurn: (work) => work(),
    readHolder: () => readHolder(clients()),
    recordStatement: (asked) => recordStatement(clients(), asked),
    readStatement: (asked, place) => readStatement(clients(), asked, place),
    async readReceipt(asked) {
      return (await callSql(clients().user.rpc('receipt', asked))) as ReceiptAnswer
    },
    async readCertificate({ user_id, reason }) {
      const asked = clients().user.rpc('balance_certificate', { user_id, reason })
      return (await callSql(asked)) as CertificateAnswer
    },
    openStatementKey: () =>
      project.statementKey === null ? Promise.resolve(null) : openSigningKey(project.statementKey),
    writePdf: null,

    databaseErrorOf: (error) => (error instanceof ApiError ? error : null),
    errorOf(error) {
      if (!(error instanceof ApiError)) return null
      if (error.isOutage) return unavailable(error)
      return error.isTokenRefused ? sessionEnded(error) : null
    },
    logDenied(denied) {
      console.warn(JSON.stringify({ msg: 'action denied', actor: clients().caller.id, ...denied }))
    },
  }
}

async function recordStatement(
  { user }: Clients,
  { user_id, month, reason }: Parameters<FunctionRuntime['recordStatement']>[0],
) {
  const asked = user.rpc('issue_statement', { user_id, month: `${month}-01`, reason })
  return holderOfAnswer((await callSql(asked)) as HolderAnswer)
}

async function readStatement(
  { user }: Clients,
  { month, user_id }: Parameters<FunctionRuntime['readStatement']>[0],
  { afterRow, untilSeq }: PagePlace,
): Promise<StatementAnswer> {
  const page = { month: `${month}-01`, until_seq: untilSeq, after_row: afterRow }
  const asked =
    user_id === null ? user.rpc('statement', page) : user.rpc('read_customer_statement', { user_id, ...page })
  return (await callSql(asked)) as StatementAnswer
}

async function isOwnPassword({ caller: { email = '' }, anon }: Clients, password: string): Promise<boolean> {
  const { error } = await anon.auth.signInWithPassword({ email, password })
  if (error === null) await anon.auth.signOut({ scope: 'local' })
  else if (error.status === 429) throw tooManyRequests(passwordRetrySeconds, error)
  else if (error.code !== 'invalid_credentials') throw unavailable(error)
  return error === null
}

async function readHolder({ caller, user }: Clients): ReturnType<FunctionRuntime['readHolder']> {
  const { id, email = '', user_metadata: metadata } = caller
  const fullName: unknown = metadata['full_name']
  const asked = user.from('account_holders').select('full_name,account_number,document_kind,document_number')
  const row = (await callSql(asked.eq('user_id', id).single())) as HolderRow
  return holderOf(row, { fullName: typeof fullName === 'string' ? fullName.trim() : '', email })
}

/**
 * Returns an HMAC-SHA-256 with a key derived from the service key. Without the key, a person who obtains a
 * copy of the database cannot guess the request bodies.
 */
async function fingerprintOf(secret: string, body: Uint8Array<ArrayBuffer>): Promise<string> {
  const bytes = new TextEncoder().encode(`request fingerprints ${secret}`)
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign'])
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', key, body))
  return Array.from(mac, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
