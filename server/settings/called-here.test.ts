import { afterEach, expect, test, vi } from 'vitest'
import { asCalledHere } from './called-here.ts'

afterEach(() => vi.unstubAllEnvs())

const sentence =
  'Repite npm run restore -- ARCHIVO; o npm run verify-ledger. Instala con npm run install:production.'

test('a message contains the npm command when the program runs from a checkout', () => {
  expect(asCalledHere(sentence)).toBe(sentence)
})

test('a message contains the service’s command when the program runs as a service', () => {
  vi.stubEnv('OPERATOR_COMMAND', 'sudo /opt/finanzas/deploy/command.sh NAME')

  expect(asCalledHere(sentence)).toBe(
    'Repite sudo /opt/finanzas/deploy/command.sh restore ARCHIVO; o sudo /opt/finanzas/deploy/command.sh verify-ledger. ' +
      'Instala con npm run install:production.',
  )
})
