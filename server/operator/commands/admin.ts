/** `npm run admin`: the operator grants, resets and revokes access, with or without a running server. */
import { momentInWords } from '@finanzas/contract/format/bogota.ts'
import type { BlockReason } from '@finanzas/contract/database-types.ts'
import { type Outcome, WrongUsage, refuseWords, runCommandLine } from '#operator/command-line.ts'
import type { Config } from '#settings/config.ts'
import { AnotherSecret, readDataKey } from '#database/data-key.ts'
import { SqlError } from '#database/database.ts'
import { connectOwner } from '#database/postgres/postgres.ts'
import { derivedPassword, servingLoginOf } from '#database/postgres/serving-login.ts'
import { CommandRefused, requireBank, requireSecret } from '#operator/command.ts'
import { readSecrets } from '#bank/secrets.ts'
import { runCommand } from '#operator/run-command.ts'

const usage = `npm run admin -- ACCIÓN [--json]
  list                          todos los administradores
  create CORREO [--name NOMBRE] un administrador nuevo; muestra la contraseña una sola vez
  reset-access CORREO           una contraseña nueva, mostrada una sola vez; termina sesiones, enlaces, segundos factores y bloqueos
  block CORREO --reason MOTIVO [--hours HORAS]
                                bloquea a la persona, por esas horas o sin fecha de fin, y cierra sus sesiones;
                                el motivo: pedido, fraude, identidad, autoridad u otro
  unblock CORREO                termina un bloqueo
  revoke CORREO                 cierra todas las sesiones de la persona
  reset-factor CORREO           quita la verificación en dos pasos y cierra las sesiones
  resend CORREO                 envía otra vez la confirmación o la invitación, o un enlace para otra contraseña
  change-email CORREO NUEVO     pide otra dirección: la nueva confirma con un enlace, la de ahora puede cancelar;
                                vale cuando la persona la acepta con su contraseña, o a las 72 horas
  show-email-change CORREO      el cambio de dirección que espera
  cancel-email-change CORREO    cancela el cambio de dirección que espera
  new-statement-key             los extractos se firman con otra clave; los anteriores siguen siendo auténticos
  keys                          las claves de la API y el usuario de los servidores en PostgreSQL`

type Person = {
  readonly email: string
  readonly fullName: string
  /** Duration of a block in hours; `null` for a permanent block. */
  readonly hours: number | null
  readonly reason: string | undefined
  readonly newEmail: string
}

/** Ten years in hours. */
const hoursMax = 87_600

/** Reasons for a block, keyed by the value of `--reason`. */
const reasons: ReadonlyMap<string | undefined, BlockReason> = new Map([
  ['pedido', 'customer_request'],
  ['fraude', 'suspected_fraud'],
  ['identidad', 'identity_check'],
  ['autoridad', 'legal_order'],
  ['otro', 'other'],
])

/** Actions on one user, keyed by their names on the command line. */
const actions: ReadonlyMap<string, (config: Config, person: Person) => Promise<Outcome>> = new Map([
  ['create', create],
  ['reset-access', resetAccess],
  ['block', block],
  ['unblock', unblock],
  ['revoke', revoke],
  ['reset-factor', resetFactor],
  ['resend', resend],
  ['change-email', changeEmail],
  ['show-email-change', showEmailChange],
  ['cancel-email-change', cancelEmailChange],
])

/** Actions on the whole bank, keyed by their names on the command line. */
const bankActions: ReadonlyMap<string, (config: Config) => Promise<Outcome>> = new Map([
  ['list', list],
  ['new-statement-key', changeStatementKey],
  ['keys', showKeys],
])

await runCommandLine(
  { usage, options: { name: { type: 'string' }, hours: { type: 'string' }, reason: { type: 'string' } } },
  async ({ values, positionals: [action, email, ...rest] }, config) => {
    if (action === undefined) throw new WrongUsage('Falta la acción.')
    const work = actions.get(action)
    if (work === undefined) {
      const ofBank = bankActions.get(action)
      if (ofBank === undefined) throw new WrongUsage(`Acción desconocida: ${action}.`)
      refuseWords(email === undefined ? [] : [email])
      return ofBank(config)
    }
    if (email === undefined) throw new WrongUsage('Falta la dirección de correo.')
    const newEmail = action === 'change-email' ? rest.shift() : ''
    if (newEmail === undefined) throw new WrongUsage('Falta la dirección nueva.')
    refuseWords(rest)
    return work(config, {
      email,
      fullName: values.name ?? '',
      hours: readHours(values.hours),
      reason: values.reason,
      newEmail,
    })
  },
)

async function list(config: Config): Promise<Outcome> {
  const administrators = await runCommand(config, 'admin-list', {})
  const sentences = administrators.map(
    ({ email, full_name: name, last_sign_in_at: last, sessions, is_banned: isBanned }) =>
      [
        email,
        name ?? '',
        `último ingreso: ${last === null ? 'nunca' : momentInWords(last)}`,
        `sesiones: ${sessions}`,
        isBanned ? 'bloqueado' : '',
      ]
        .filter((part) => part !== '')
        .join('  '),
  )
  return { sentences, result: administrators }
}

async function create(config: Config, person: Person): Promise<Outcome> {
  const made = await runCommand(config, 'admin-create', person)
  return {
    sentences: [`${person.email} es administrador. Esta contraseña no se muestra otra vez:`, made.password],
    result: { email: person.email, ...made },
  }
}

async function resetAccess(config: Config, { email }: Person): Promise<Outcome> {
  const { password } = await runCommand(config, 'admin-reset-access', { email })
  return {
    sentences: [`${email} puede entrar de nuevo. Esta contraseña no se muestra otra vez:`, password],
    result: { email, password },
  }
}

async function revoke(config: Config, { email }: Person): Promise<Outcome> {
  await runCommand(config, 'admin-revoke', { email })
  return { sentences: [`Todas las sesiones de ${email} están cerradas.`], result: { email } }
}

function readHours(text: string | undefined): number | null {
  if (text === undefined) return null
  const hours = Number(text)
  if (/^\d+$/.test(text) && hours >= 1 && hours <= hoursMax) return hours
  throw new WrongUsage(`--hours es un número entero, de 1 a ${hoursMax}.`)
}

async function block(config: Config, { email, hours, reason: word }: Person): Promise<Outcome> {
  const reason = reasons.get(word)
  if (reason === undefined) throw new WrongUsage(`--reason es uno de: ${[...reasons.keys()].join(', ')}.`)
  const { until } = await runCommand(config, 'admin-block', { email, hours, reason })
  const end = until === null ? 'sin fecha de fin' : `hasta el ${momentInWords(until)}`
  return {
    sentences: [`${email} está bloqueado, ${end}, y sus sesiones cerradas.`],
    result: { email, until },
  }
}

async function unblock(config: Config, { email }: Person): Promise<Outcome> {
  await runCommand(config, 'admin-unblock', { email })
  return { sentences: [`${email} ya no está bloqueado.`], result: { email } }
}

async function resetFactor(config: Config, { email }: Person): Promise<Outcome> {
  await runCommand(config, 'admin-reset-factor', { email })
  return {
    sentences: [`${email} entra solo con su contraseña; sus sesiones están cerradas.`],
    result: { email },
  }
}

async function resend(config: Config, { email }: Person): Promise<Outcome> {
  const { type } = await runCommand(config, 'admin-resend', { email })
  const mail = {
    signup: 'una confirmación',
    invite: 'una invitación',
    recovery: 'un enlace para otra contraseña',
  }[type]
  const life = type === 'recovery' ? '60 minutos' : '24 horas'
  return { sentences: [`Enviamos ${mail} a ${email}; vence en ${life}.`], result: { email, type } }
}

async function changeEmail(config: Config, { email, newEmail }: Person): Promise<Outcome> {
  await runCommand(config, 'admin-change-email', { email, newEmail })
  return {
    sentences: [
      `Enviamos un enlace a ${newEmail}, que lo confirma, y otro a ${email}, que lo cancela. La cuenta usa esa dirección cuando la persona la acepta con su contraseña, o a las 72 horas.`,
    ],
    result: { email, newEmail },
  }
}

async function showEmailChange(config: Config, { email }: Person): Promise<Outcome> {
  const { waiting } = await runCommand(config, 'admin-show-email-change', { email })
  if (waiting === null)
    return {
      sentences: [`${email} no tiene ningún cambio de dirección en espera.`],
      result: { email, waiting },
    }
  const { email: next, begun_at: begun, counts_at: counts, is_confirmed: isConfirmed } = waiting
  const rest =
    counts === null
      ? 'lo pidió la persona'
      : `lo pidió el banco; ${isConfirmed ? 'ya se confirmó y vale' : 'falta confirmarlo antes'} el ${momentInWords(counts)}`
  return {
    sentences: [`${email} espera usar ${next} desde el ${momentInWords(begun)}: ${rest}.`],
    result: { email, waiting },
  }
}

async function cancelEmailChange(config: Config, { email }: Person): Promise<Outcome> {
  await runCommand(config, 'admin-cancel-email-change', { email })
  return { sentences: [`${email} se queda con su dirección: el cambio está cancelado.`], result: { email } }
}

async function changeStatementKey(config: Config): Promise<Outcome> {
  const { kid } = await runCommand(config, 'admin-new-statement-key', {})
  const retired =
    kid === null ? 'Ninguna clave firmaba.' : `La clave ${kid} ya no firma, y su parte privada se borró.`
  return { sentences: [retired, 'El próximo extracto se firma con una nueva.'], result: { kid } }
}

/**
 * Prints the API keys that are derived from this environment's secrets. On PostgreSQL, also prints the database login
 * that servers create, if the configuration contains the owner's URL. Changes nothing.
 */
async function showKeys(config: Config): Promise<Outcome> {
  await requireBank(config)
  requireSecret(config)
  const secrets = await readSecrets(config)
  const { anonKey, serviceRoleKey } = secrets.apiKeys
  // If a connection pooler is used, DATABASE_URL already contains the login and its password.
  const ownerUrl = config.database?.directUrl === null ? config.database.url : null
  const login = ownerUrl === null ? null : await readLogin(ownerUrl, secrets)
  const sentences = [
    'Clave pública (anon), la que usa la página:',
    anonKey,
    'Clave de servicio (service_role). Quien la tiene puede leer y cambiar todo: no la pegues en chats ni la guardes en el código.',
    serviceRoleKey,
  ]
  if (login !== null)
    sentences.push(
      'Usuario con el que los servidores entran a PostgreSQL, como va en users.txt de PgBouncer:',
      `"${login.name}" "${login.password}"`,
    )
  return { sentences, result: { anonKey, serviceRoleKey, login } }
}

async function readLogin(
  ownerUrl: string,
  secrets: { jwtSecret: string; previousSecret: string | null },
): Promise<{ name: string; password: string } | null> {
  const owner = await connectOwner(ownerUrl)
  try {
    const dataKey = await readDataKey((statement) => owner.query(statement), secrets)
    if (dataKey === null) throw new CommandRefused(new AnotherSecret().message)
    return { name: await servingLoginOf(owner), password: derivedPassword(dataKey) }
  } catch (error) {
    // DATABASE_URL contains the servers' login and not the owner. This login is not allowed to read the key.
    if (error instanceof SqlError && error.sqlState === '42501') return null
    throw error
  } finally {
    await owner.close()
  }
}
