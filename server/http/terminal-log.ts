/**
 * The log at a terminal: one short Spanish line for each JSON line. Errors without an event are printed as they are, for
 * a bug report.
 */
import type { LoggedEvent } from './events.ts'

/** `null`: not shown, for the announcement at the start says it. */
const sentences: Readonly<Record<LoggedEvent, string | null>> = {
  'the server serves': null,
  'the server drains': 'El servidor va a terminar: atiende lo que está en curso.',
  'the server has ended': 'El servidor terminó.',
  'backup made': 'Copia de seguridad hecha.',
  'ALARM: no backup was made': 'No se hizo la copia de seguridad.',
  'the ledger verifies': 'El libro está verificado.',
  'ALARM: the ledger does not verify': 'El libro no es correcto.',
  'a mail waits to be sent': 'Un correo espera: el servidor de correo no lo aceptó.',
  'ALARM: a mail was given up': 'Un correo no se pudo enviar y ya no se intentará.',
  'ALARM: the clock differs from the database’s': 'El reloj de este equipo difiere del de la base de datos.',
  'ALARM: the database refuses the login of this server':
    'La base de datos rechaza el usuario de este servidor.',
  'X-Forwarded-For arrives, and TRUST_PROXY is not set':
    'Llega X-Forwarded-For y TRUST_PROXY no está definido.',
  'sockets are sent elsewhere': 'Las conexiones en vivo se envían a otro servidor.',
  'slow request': 'Petición lenta.',
  'request refused': 'Petición rechazada.',
  'action denied': 'Acción no permitida.',
  'too many requests': 'Demasiadas peticiones.',
  'request failed': 'Petición fallida.',
  'signed up': 'Registro nuevo.',
  'sign-up with a taken address': 'Registro con una dirección que ya tiene cuenta.',
  'signed in': 'Ingreso.',
  'sign-in refused': 'Ingreso rechazado.',
  'signed out': 'Salida.',
  'refresh refused': 'Renovación de sesión rechazada.',
  'refresh token used twice': 'Un token de renovación se usó dos veces: la sesión terminó.',
  'link refused': 'Enlace o código rechazado.',
  'mail asked for': 'Se pidió un correo.',
  'email changed': 'Dirección de correo cambiada.',
  'password changed': 'Contraseña cambiada.',
  'password change refused': 'Cambio de contraseña rechazado.',
  'proof shown': 'Identidad confirmada otra vez.',
  'proof refused': 'Confirmación de identidad rechazada.',
  'second factor added': 'Segundo factor agregado.',
  'second factor removed': 'Segundo factor eliminado.',
  'end of second factors asked for': 'Pidieron quitar los segundos factores de una cuenta en 72 horas.',
  'second factor shown': 'Segundo factor verificado.',
  'second factor refused': 'Segundo factor rechazado.',
  'recovery codes made': 'Códigos de recuperación creados.',
  'recovery codes removed': 'Códigos de recuperación eliminados.',
}

const levelNames: ReadonlyMap<unknown, string> = new Map([
  [40, 'AVISO  '],
  [50, 'ERROR  '],
])

/** Fastify's own line; the announcement that follows has the address. */
const hiddenMessage = 'listening'

/** Takes the log's JSON lines and writes them for a person. */
export function terminalLog(write: (text: string) => void): { write: (line: string) => void } {
  return {
    write(line) {
      const text = format(JSON.parse(line) as Record<string, unknown>)
      if (text !== null) write(`${text}\n`)
    },
  }
}

function format(entry: Record<string, unknown>): string | null {
  const message = textOf(entry['msg'])
  const sentence = Object.hasOwn(sentences, message) ? sentences[message as LoggedEvent] : message
  if (sentence === null || message === hiddenMessage) return null
  const time = new Date(Number(entry['time'])).toLocaleTimeString('es-CO', { hourCycle: 'h23' })
  const level = levelNames.get(entry['level']) ?? ''
  return [`${time}  ${level}${sentence}`, ...detailsOf(entry)].join('  ')
}

/** Names of files, figures and ids: the same in any language. */
function detailsOf(entry: Record<string, unknown>): string[] {
  const { method, path, status, durationMs, seq, mail, code, meaning, backup, err } = entry
  const { userId, customerId, actor, action, target } = entry
  const failure = err as { message?: unknown; stack?: unknown } | undefined
  const isUnknown = !Object.hasOwn(sentences, textOf(entry['msg']))
  return [
    method === undefined
      ? ''
      : [method, path, status, durationMs === undefined ? '' : `(${textOf(durationMs)} ms)`]
          .map(textOf)
          .filter((part) => part !== '')
          .join(' '),
    textOf(userId ?? customerId ?? actor),
    textOf(action),
    textOf(target),
    seq === undefined ? '' : `#${textOf(seq)}`,
    textOf(meaning),
    textOf(mail),
    textOf(code),
    textOf((backup as { file?: unknown } | undefined)?.file),
    textOf((isUnknown && failure?.stack) || failure?.message),
  ].filter((detail) => detail !== '')
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
