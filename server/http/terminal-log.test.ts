import { expect, test } from 'vitest'
import { loggerOptions } from './log.ts'
import { terminalLog } from './terminal-log.ts'

const time = Date.UTC(2026, 10, 22, 15, 54, 53)
const userId = '35d90c1a-0000-4000-8000-000000000000'

function shown(entry: Record<string, unknown>): string {
  let text = ''
  terminalLog((part) => (text += part)).write(
    `${JSON.stringify({ time, pid: 1, hostname: 'vm', ...entry })}\n`,
  )
  return text
}

test('at a terminal an event is one line in Spanish, with what tells it from others', () => {
  expect(
    shown({ level: 30, msg: 'signed in', userId, method: 'GET', path: '/x', status: 200, durationMs: 3 }),
  ).toMatch(/^\d\d:\d\d:53 {2}Ingreso\. {2}GET \/x 200 \(3 ms\) {2}35d90c1a-\S+\n$/)
  expect(shown({ level: 40, msg: 'a mail waits to be sent', mail: 7, code: 'ESOCKET' })).toMatch(
    /AVISO {2}Un correo espera: .* {2}7 {2}ESOCKET\n$/,
  )
  expect(
    shown({ level: 50, msg: 'ALARM: the ledger does not verify', meaning: 'la auditoría, fila 3', seq: 3 }),
  ).toMatch(/ERROR {2}El libro no es correcto\. {2}#3 {2}la auditoría, fila 3\n$/)
})

test('what the announcements say already is not said twice', () => {
  expect(shown({ level: 30, msg: 'listening' })).toBe('')
  expect(shown({ level: 30, msg: 'the server serves', version: '1.0.0' })).toBe('')
})

test('a mistake of the program keeps its words and its stack', () => {
  const line = shown({
    level: 50,
    msg: 'table API failed',
    err: { message: 'x', stack: 'TypeError: x\n    at y' },
  })

  expect(line).toContain('ERROR  table API failed  TypeError: x\n    at y')
})

test('where no person reads, lines stay JSON', () => {
  expect(loggerOptions('info', { isTerminal: false })).not.toHaveProperty('stream')
  expect(loggerOptions('info', { isTerminal: true })).toHaveProperty('stream')
})
