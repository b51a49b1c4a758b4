/**
 * Formats the log for a terminal: one short Spanish line for each JSON line. Errors that do not belong to an event are
 * printed in full, so that the operator can report the bug.
 */
import { type LoggedEvent, events } from './events.ts'

const levelNames: ReadonlyMap<unknown, string> = new Map([
  [40, 'AVISO  '],
  [50, 'ERROR  '],
])

/**
 * Message of a line that Fastify itself logs. This line is not shown at a terminal, because the announcement that
 * follows contains the address.
 */
const hiddenMessage = 'listening'

/** Reads the log's JSON lines and writes them as readable sentences. */
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
  const sentence = isEvent(message) ? events[message][1] : message
  if (sentence === null || message === hiddenMessage) return null
  const time = new Date(Number(entry['time'])).toLocaleTimeString('es-CO', { hourCycle: 'h23' })
  const level = levelNames.get(entry['level']) ?? ''
  return [`${time}  ${level}${sentence}`, ...detailsOf(entry)].join('  ')
}

/** Formats the fields that need no translation: file names, figures and ids. */
function detailsOf(entry: Record<string, unknown>): string[] {
  const { method, path, status, durationMs, seq, mail, code, meaning, backup, err } = entry
  const { server, cause, awaySeconds } = entry
  const { userId, customerId, actor, action, target } = entry
  const failure = err as { message?: unknown; stack?: unknown } | undefined
  const isUnknown = !isEvent(textOf(entry['msg']))
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
    textOf(server),
    textOf(cause),
    awaySeconds === undefined ? '' : `(${textOf(awaySeconds)} s)`,
    textOf(mail),
    textOf(code),
    textOf((backup as { file?: unknown } | undefined)?.file),
    textOf((isUnknown && failure?.stack) || failure?.message),
  ].filter((detail) => detail !== '')
}

function isEvent(message: string): message is LoggedEvent {
  return Object.hasOwn(events, message)
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}
