/** `npm run admin` where the bank is open: reads addresses, calls identity, and turns its refusals into sentences. */
import { readEmail } from '#identity/email.ts'
import {
  AccessRefused,
  type AdministratorEntry,
  createAdministrator,
  listAdministrators,
  resetAccess,
  revokeSessions,
  unban,
} from './operator-access.ts'
import { createPasswords } from '#identity/password/passwords.ts'
import { type Bank, CommandRefused } from './bank.ts'

/** Whom a command is about. */
export type About = { readonly email: string }

/** The commands of `npm run admin`, by the names that the socket carries. */
export const accessCommands = {
  'admin-list': ({ database }: Bank, _nothing: object): Promise<AdministratorEntry[]> =>
    listAdministrators(database),

  'admin-create': (bank: Bank, { email, fullName }: About & { fullName: string }) =>
    refusing(() =>
      createAdministrator(bank.database, passwordsOf(bank), { email: address(email), fullName }),
    ),

  'admin-reset-access': (bank: Bank, { email }: About) =>
    refusing(() => resetAccess(bank.database, passwordsOf(bank), address(email))),

  'admin-revoke': ({ database }: Bank, { email }: About) =>
    refusing(() => revokeSessions(database, address(email))),

  'admin-unban': ({ database }: Bank, { email }: About) => refusing(() => unban(database, address(email))),
}

function passwordsOf({ config }: Bank) {
  return createPasswords({ lengthMin: config.passwordLengthMin, brandName: config.brandName })
}

function address(text: string): string {
  const email = readEmail(text)
  if (email === null) throw new AccessRefused(`La dirección de correo no es válida: ${text}`)
  return email
}

async function refusing<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof AccessRefused ? new CommandRefused(error.message, { cause: error }) : error
  }
}
