/**
 * A copy of the database or of the log contains no usable credential (security.md SE-02, LO-04). The test searches a
 * full database dump and the server's output for every password, token, mailed link and authenticator secret that was
 * issued.
 */
import { execFile } from 'node:child_process'
import { readFile, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Metric, counted, none } from '#testing/report.ts'
import { superuserUrlOf } from '#testing/cluster-databases.ts'
import { type Person, signUp } from '#testing/people.ts'
import { type BankServer, startBankServer } from '#nightly/fixtures/servers.ts'

const refreshes = 5
const dumpBytesMax = 512 * 2 ** 20

/**
 * Runs the test on PostgreSQL. People sign up, refresh their sessions, request links and codes, and set up an
 * authenticator app.
 */
export async function runSecrets(options: { people: number }): Promise<Metric[]> {
  const bank = await startBankServer('PostgreSQL', { LOG_LEVEL: 'debug' })
  try {
    const given: string[] = []
    const accounts: Person[] = []
    for (let index = 0; index < options.people; index += 1) {
      const account = await signUp(bank.server)
      accounts.push(account)
      given.push(...(await secretsOf(account)))
    }
    const mailed = await mailedSecrets(bank, accounts)
    const [dump, log] = [await dumpOf(bank), bank.server.output()]
    return [
      counted(
        'passwords, tokens, links, codes and app secrets that were given out',
        given.length + mailed.length,
        options.people * 8,
      ),
      counted('bytes of the dump', dump.length, 10_000),
      counted('bytes of the log', log.length, 1000),
      none(
        'of them in the dump',
        [...given, ...mailed].filter((secret) => dump.includes(secret)),
      ),
      // Without a mail server, the server prints its mails, and its output therefore contains the mailed links.
      none(
        'of them in the log, but for mailed links',
        given.filter((secret) => log.includes(secret)),
      ),
    ]
  } finally {
    await bank.close()
  }
}

async function secretsOf({ client, password, session }: Person): Promise<string[]> {
  const secrets = [password, session.access_token, session.refresh_token]
  for (let count = 0; count < refreshes; count += 1) {
    const { data } = await client.auth.refreshSession()
    if (data.session !== null) secrets.push(data.session.access_token, data.session.refresh_token)
  }
  const { data } = await client.auth.mfa.enroll({ factorType: 'totp' })
  if (data?.type === 'totp') secrets.push(data.totp.secret)
  return secrets
}

/**
 * Lets the server send mails to each account, and returns the tokens of the links in all mails of the outbox folder.
 */
async function mailedSecrets({ server }: BankServer, accounts: readonly Person[]): Promise<string[]> {
  for (const { client, email } of accounts) {
    await client.auth.resetPasswordForEmail(email)
    await client.auth.signInWithOtp({ email })
    await client.auth.reauthenticate()
  }
  const outbox = join(server.dataDir, 'outbox')
  const secrets: string[] = []
  for (const file of await readdir(outbox)) {
    // A mail that is still being written gets its final name when it is complete.
    if (!file.endsWith('.eml')) continue
    const text = await readFile(join(outbox, file), 'utf8')
    const link = /^https?:\/\/\S+$/m.exec(text)?.[0]
    const token = link === undefined ? null : new URL(link).searchParams.get('token')
    if (token !== null) secrets.push(token)
  }
  return secrets
}

async function dumpOf({ cluster }: BankServer): Promise<string> {
  if (cluster === null) throw new Error('The embedded engine has no dump.')
  const program = join(cluster.binaries, 'pg_dump')
  const given = ['--inserts', superuserUrlOf(cluster)]
  return (await promisify(execFile)(program, given, { maxBuffer: dumpBytesMax })).stdout
}
