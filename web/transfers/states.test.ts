import { expect, test } from 'vitest'
import { transferRow } from '#testing/transfer-rows.ts'
import { hasReceipt, stateInWords } from './states.ts'

const year = new Date().getUTCFullYear()
const ended_at = `${year}-06-03T15:00:00+00:00`
const due_on = `${year}-06-30`

test.each([
  ['waiting', 'Espera la aprobación del banco', false],
  ['scheduled', 'Programada para el 30 jun', false],
  ['done', 'Hecha el 3 jun', true],
  ['declined', 'Rechazada por el banco el 3 jun', false],
  ['cancelled', 'Cancelada el 3 jun', false],
  ['expired', 'Caducó el 3 jun sin respuesta del banco', false],
  ['failed', 'No se pudo hacer el 3 jun', false],
  ['returned', 'Devuelta por el banco el 3 jun', true],
] as const)('a transfer that is %s is described as “%s”, with a receipt: %s', (status, words, isPosted) => {
  const transfer = transferRow({ status, due_on, ended_at })

  expect(stateInWords(transfer)).toBe(words)
  expect(hasReceipt(transfer)).toBe(isPosted)
})
