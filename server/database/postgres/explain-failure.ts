/** Explains to the operator why the server or a command cannot use the database. */
import {
  type DatabaseAddress,
  DatabaseUnavailable,
  FollowsAnother,
  NoAnswer,
  SqlError,
} from '#database/database.ts'
import { errorCode } from '@finanzas/contract/wire/error-code.ts'

/** Splits a configured database URL into its parts. */
export function addressOf(url: string): DatabaseAddress {
  const { username, host, port, pathname } = new URL(url)
  const folder = decodeURIComponent(host)
  const isSocket = folder.startsWith('/')
  return {
    user: decodeURIComponent(username) || '(sin usuario)',
    server: isSocket ? folder.replace(/:\d+$/, '') : port === '' ? `${host}:5432` : host,
    database: decodeURIComponent(pathname.slice(1)),
  }
}

/** Returns the fields for the log line of an outage: the database's address and the reason, but not the login. */
export function describeOutage(error: unknown, url?: string) {
  const { server, database } = url === undefined ? { server: null, database: null } : addressOf(url)
  const cause = error instanceof DatabaseUnavailable ? (error.cause ?? error) : error
  // If the host name resolves to several addresses, Node.js reports one error for each attempt.
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause
  return {
    server,
    database,
    code: errorCode(cause) || null,
    cause: first instanceof Error ? first.message : null,
  }
}

/**
 * Returns a message for the operator, which includes PostgreSQL's own message. Returns `null` for an error that the
 * operator cannot fix.
 */
export function explainDatabase(error: unknown): string | null {
  if (error instanceof DatabaseUnavailable) return whyUnavailable(error)
  return error instanceof SqlError ? whyRefused(error) : null
}

function whyUnavailable({ message, cause, address }: DatabaseUnavailable): string {
  if (cause instanceof FollowsAnother)
    return `El servidor de la base de datos es una réplica: no se puede escribir en él. ${check}`
  if (cause instanceof NoAnswer) return `La base de datos ha dejado de responder. ${check}`
  const said = cause instanceof Error ? cause.message : message
  if (address === null) return `No se puede usar la base de datos: "${said}". ${check}`
  const sentence = byCode[errorCode(cause)] ?? byText.find(([text]) => said.includes(text))?.[1]
  return (
    sentence?.(address) ??
    `PostgreSQL en ${address.server} no deja entrar a ${address.user}: "${said}". ${check}`
  )
}

function whyRefused({ sqlState, message }: SqlError): string | null {
  if (sqlState === '53100') return `La base de datos no tiene espacio en el disco: "${message}".`
  if (sqlState !== '42501') return null
  return (
    `A este usuario le falta un permiso en la base de datos: "${message}". ` +
    'Pon en DATABASE_DIRECT_URL la dirección de su dueño (CREATEROLE y BYPASSRLS).'
  )
}

const check = 'Revisa DATABASE_URL (y DATABASE_DIRECT_URL, si está puesta).'

type Sentence = (address: DatabaseAddress) => string

const noAnswer: Sentence = ({ server }) => `PostgreSQL no responde en ${server}. ¿Está encendido? ${check}`
const unknownHost: Sentence = ({ server }) => `No existe el servidor ${server}. ${check}`
const wrongPassword: Sentence = ({ user, server }) =>
  `PostgreSQL en ${server} no acepta la contraseña de ${user}. ${check}`

const byCode: Readonly<Record<string, Sentence>> = {
  ECONNREFUSED: noAnswer,
  ETIMEDOUT: noAnswer,
  EHOSTUNREACH: noAnswer,
  ENETUNREACH: noAnswer,
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
  ENOENT: ({ server }) => `No hay ningún socket de PostgreSQL en ${server}. ¿Está encendido? ${check}`,
  '28P01': wrongPassword,
  '3D000': ({ database, server, user }) =>
    `En ${server} no existe la base de datos ${database}. Créala: create database ${database} owner ${user};`,
  '57P03': ({ server }) =>
    `PostgreSQL en ${server} está arrancando o deteniéndose. Prueba otra vez en un momento.`,
  '53300': ({ server }) =>
    `PostgreSQL en ${server} ya tiene todas las conexiones que admite (max_connections).`,
}

const byText: readonly (readonly [string, Sentence])[] = [
  [
    'client password must be a',
    ({ user, server }) =>
      `PostgreSQL en ${server} pide la contraseña de ${user}, y la dirección no la lleva. ${check}`,
  ],
  [
    'Peer authentication failed',
    ({ user, database }) =>
      `Por el socket, PostgreSQL solo deja entrar como ${user} al usuario del sistema con ese nombre (peer). ` +
      `Añade a pg_hba.conf, antes de las demás líneas, "local ${database} ${user} scram-sha-256", y recarga PostgreSQL.`,
  ],
  ['timeout', noAnswer],
  ['Connection terminated unexpectedly', noAnswer],
]
