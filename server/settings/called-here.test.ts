import { afterEach, expect, test, vi } from 'vitest'
import { asCalledHere } from './called-here.ts'

afterEach(() => vi.unstubAllEnvs())

const sentence =
  'Repite npm run restore -- ARCHIVO; o npm run verify-ledger. Instala con npm run install:production.'

test('a sentence names the npm command if a checkout prints it', () => {
  expect(asCalledHere(sentence)).toBe(sentence)
})

test('a sentence names the service’s command if a service prints it', () => {
  vi.stubEnv('OPERATOR_COMMAND', 'sudo /opt/finanzas/deploy/command.sh NAME')

  expect(asCalledHere(sentence)).toBe(
    'Repite sudo /opt/finanzas/deploy/command.sh restore ARCHIVO; o sudo /opt/finanzas/deploy/command.sh verify-ledger. ' +
      'Instala con npm run install:production.',
  )
})
