/**
 * Log events (security.md LO-01). For each event, docs/logging.md lists when it is logged and with which fields. A
 * completed action has the level `info`, a refusal has `warn`, and an event that needs the operator has `error`.
 */
import type { FastifyBaseLogger } from 'fastify'

/**
 * The level and the terminal message of each event, keyed by the `msg` of its log line. The terminal message is `null`
 * if the announcement at startup already contains the same information.
 */
export const events = {
  // The server.
  'the server serves': ['info', null],
  'the server drains': ['info', 'El servidor va a terminar: atiende lo que está en curso.'],
  'the server has ended': ['info', 'El servidor terminó.'],
  'ALARM: the database refuses the login of this server': [
    'error',
    'La base de datos rechaza el usuario de este servidor.',
  ],
  'ALARM: the database does not answer': ['error', 'La base de datos no responde.'],
  'the database answers again': ['info', 'La base de datos responde otra vez.'],
  'ALARM: the clock differs from the database’s': [
    'error',
    'El reloj de este equipo difiere del de la base de datos.',
  ],
  'ALARM: the database grows too fast': [
    'error',
    'Los archivos de la base de datos crecen demasiado rápido.',
  ],
  'ALARM: a server does not report': ['error', 'Un servidor del banco no da señales.'],
  'ALARM: the disk is almost full': ['error', 'Queda poco espacio en el disco.'],
  'sockets closed after an outage': ['warn', 'Las conexiones en vivo se envían a otro servidor.'],
  'backup made': ['info', 'Copia de seguridad hecha.'],
  'ALARM: no backup was made': ['error', 'No se hizo la copia de seguridad.'],
  'ALARM: the last backup is old': ['error', 'La última copia de seguridad es antigua.'],
  'ALARM: the synchronous standby is missing': ['error', 'PostgreSQL se quedó sin réplica síncrona.'],
  'the ledger verifies': ['info', 'El libro está verificado.'],
  'ALARM: the ledger does not verify': ['error', 'El libro no es correcto.'],
  'ALARM: transfers need a second administrator': [
    'error',
    'Hay transferencias, pero un solo administrador: no puede decidir las de las cuentas que abrió.',
  ],
  'ALARM: the certificate for papers expires': [
    'error',
    'El certificado de los extractos y comprobantes vence en menos de 30 días.',
  ],
  'ALARM: the ledger was not verified': ['error', 'El libro lleva más de 36 horas sin verificarse.'],
  'mail deferred': ['warn', 'Un correo espera: el servidor de correo no lo aceptó.'],
  'ALARM: mails wait': ['error', 'Un correo espera desde hace más de media hora.'],
  'ALARM: a mail could not be sent': ['error', 'Un correo no se pudo enviar y ya no se intentará.'],
  // Requests to any surface.
  'X-Forwarded-For arrives, and TRUST_PROXY is not set': [
    'warn',
    'Llega X-Forwarded-For y TRUST_PROXY no está definido.',
  ],
  'slow request': ['info', 'Petición lenta.'],
  'request refused': ['warn', 'Petición rechazada.'],
  'action denied': ['warn', 'Acción no permitida.'],
  'too many requests': ['warn', 'Demasiadas peticiones.'],
  'request failed': ['warn', 'Petición fallida.'],
  // Access.
  'signed up': ['info', 'Registro nuevo.'],
  'sign-up with a taken address': ['warn', 'Registro con una dirección que ya tiene cuenta.'],
  'signed in': ['info', 'Ingreso.'],
  'sign-in refused': ['warn', 'Ingreso rechazado.'],
  'signed out': ['info', 'Salida.'],
  'refresh refused': ['warn', 'Renovación de sesión rechazada.'],
  'refresh token used twice': ['warn', 'Un token de renovación se usó dos veces: la sesión terminó.'],
  'link refused': ['warn', 'Enlace o código rechazado.'],
  'mail requested': ['info', 'Se pidió un correo.'],
  'email changed': ['info', 'Dirección de correo cambiada.'],
  'change of address answered': ['info', 'Respuesta del correo a un cambio de dirección que pidió el banco.'],
  'password changed': ['info', 'Contraseña cambiada.'],
  'password change refused': ['warn', 'Cambio de contraseña rechazado.'],
  'reauthentication accepted': ['info', 'Identidad confirmada otra vez.'],
  'reauthentication refused': ['warn', 'Confirmación de identidad rechazada.'],
  'second factor added': ['info', 'Segundo factor añadido.'],
  'second factor removed': ['info', 'Segundo factor eliminado.'],
  'removal of second factors requested': [
    'warn',
    'Pidieron quitar los segundos factores de una cuenta en 72 horas.',
  ],
  'second factor verified': ['info', 'Segundo factor verificado.'],
  'second factor refused': ['warn', 'Segundo factor rechazado.'],
  'recovery codes made': ['info', 'Códigos de recuperación creados.'],
  'recovery codes removed': ['info', 'Códigos de recuperación eliminados.'],
  'notices stopped': ['info', 'Un enlace de un correo detuvo un tipo de aviso.'],
} as const satisfies Record<string, readonly ['info' | 'warn' | 'error', string | null]>

export type LoggedEvent = keyof typeof events

/**
 * Writes the event's line. Fields may contain ids, codes and figures. Fields must not contain addresses, names, bodies,
 * headers or tokens.
 */
export function logEvent(
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>,
  event: LoggedEvent,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  const [level] = events[event]
  log[level](fields, event)
}
