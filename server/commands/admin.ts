/** `npm run admin`: the operator gives, renews and takes away access, while the bank is running or not. */
import { WrongUsage, type Outcome, runCommandLine } from './command-line.ts'
import { showKeys } from './keys.ts'
import { runOnBank } from './run-on-bank.ts'
import type { Config } from '#config.ts'

const usage = `npm run admin -- ACTION [--json]
  list                          every administrator
  create EMAIL [--name NAME]    a new administrator; prints the password once
  reset-access EMAIL            a new password, printed once; ends sessions, links, second factors and a ban
  revoke EMAIL                  signs the person out everywhere
  unban EMAIL                   ends a ban
  keys                          las claves de la API y el usuario de los servidores en PostgreSQL`

await runCommandLine(
  { usage, options: { name: { type: 'string' } } },
  async ({ values, positionals }, config) => {
    const [action, email, ...rest] = positionals
    if (rest.length > 0) throw new WrongUsage(`${rest[0]} is not understood.`)
    if (action === 'list' && email === undefined) return list(config)
    if (action === 'keys' && email === undefined) return showKeys(config)
    if (email === undefined) throw new WrongUsage(action === undefined ? 'Say what to do.' : 'Say to whom.')
    if (action === 'create') return create(config, { email, fullName: values.name ?? '' })
    if (action === 'reset-access') return resetAccess(config, email)
    if (action === 'revoke') {
      await runOnBank(config, 'admin-revoke', { email })
      return { sentences: [`${email} is signed out everywhere.`], result: { email } }
    }
    if (action === 'unban') {
      await runOnBank(config, 'admin-unban', { email })
      return { sentences: [`${email} is not banned.`], result: { email } }
    }
    throw new WrongUsage(`${action} is not understood.`)
  },
)

async function list(config: Config): Promise<Outcome> {
  const administrators = await runOnBank(config, 'admin-list', {})
  const sentences = administrators.map(
    ({ email, full_name: name, last_sign_in_at: last, sessions, is_banned: isBanned }) =>
      [
        email,
        name ?? '',
        `last sign-in: ${last ?? 'never'}`,
        `sessions: ${sessions}`,
        isBanned ? 'banned' : '',
      ]
        .filter((part) => part !== '')
        .join('  '),
  )
  return { sentences, result: administrators }
}

async function create(config: Config, person: { email: string; fullName: string }): Promise<Outcome> {
  const made = await runOnBank(config, 'admin-create', person)
  return {
    sentences: [`${person.email} is an administrator. The password is not shown again:`, made.password],
    result: { email: person.email, ...made },
  }
}

async function resetAccess(config: Config, email: string): Promise<Outcome> {
  const { password } = await runOnBank(config, 'admin-reset-access', { email })
  return {
    sentences: [`${email} can sign in again. The password is not shown again:`, password],
    result: { email, password },
  }
}
