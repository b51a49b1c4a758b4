/**
 * The events of the log (security.md LO-01; docs/logging.md lists when each is written and with which fields).
 * What was done is `info`, what was refused `warn`, what an operator must look at `error`.
 */
import type { FastifyBaseLogger } from 'fastify'

/** The `msg` of a line and its level. */
const levels = {
  // The server.
  'the server serves': 'info',
  'the server drains': 'info',
  'the server has ended': 'info',
  'ALARM: the database refuses the login of this server': 'error',
  'ALARM: the clock differs from the database’s': 'error',
  'sockets are sent elsewhere': 'warn',
  'backup made': 'info',
  'ALARM: no backup was made': 'error',
  'the ledger verifies': 'info',
  'ALARM: the ledger does not verify': 'error',
  'a mail waits to be sent': 'warn',
  'ALARM: a mail was given up': 'error',
  // Requests, whatever the surface.
  'X-Forwarded-For arrives, and TRUST_PROXY is not set': 'warn',
  'slow request': 'info',
  'request refused': 'warn',
  'action denied': 'warn',
  'too many requests': 'warn',
  'request failed': 'warn',
  // Access.
  'signed up': 'info',
  'sign-up with a taken address': 'warn',
  'signed in': 'info',
  'sign-in refused': 'warn',
  'signed out': 'info',
  'refresh refused': 'warn',
  'refresh token used twice': 'warn',
  'link refused': 'warn',
  'mail asked for': 'info',
  'email changed': 'info',
  'password changed': 'info',
  'password change refused': 'warn',
  'proof shown': 'info',
  'proof refused': 'warn',
  'second factor added': 'info',
  'second factor removed': 'info',
  'end of second factors asked for': 'warn',
  'second factor shown': 'info',
  'second factor refused': 'warn',
  'recovery codes made': 'info',
  'recovery codes removed': 'info',
} as const

export type LoggedEvent = keyof typeof levels

/** Writes the line. Fields hold ids, codes and figures: no address, name, body, header or token. */
export function logEvent(
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>,
  event: LoggedEvent,
  fields: Readonly<Record<string, unknown>> = {},
): void {
  log[levels[event]](fields, event)
}
