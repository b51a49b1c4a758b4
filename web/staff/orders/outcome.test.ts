import { expect, test } from 'vitest'
import { TableRefusal } from '#api/errors.ts'
import { failureInWords, outcomeInWords } from './outcome.ts'
import type { Request } from './requests.ts'

const marta = { decided_by: 'marta', decided_by_name: 'Marta Ríos' }
const ines = { decided_by: 'ines', decided_by_name: 'Inés Mora' }
const nobody = { decided_by: null, decided_by_name: null }
const request = (values: Partial<Request>) => ({ kind: 'transfer', reason: null, ...values }) as Request
const tell = (approves: boolean, ...requests: Partial<Request>[]) =>
  outcomeInWords(requests.map(request), { approves, userId: 'marta' })

test('a transfer that is carried out and a transfer that is scheduled both count as approved', () => {
  expect(tell(true, { status: 'done', ...marta }, { status: 'scheduled', ...marta })).toEqual({
    title: '2 transferencias aprobadas',
  })
})

test('a transfer is not counted as the caller’s decision if another administrator decided it', () => {
  expect(tell(true, { status: 'done', ...ines })).toEqual({
    title: 'No se aprobó nada',
    description: 'Inés Mora ya había aprobado 1.',
    variant: 'destructive',
  })
  expect(tell(true, { status: 'declined', ...ines })).toMatchObject({
    description: 'Inés Mora ya había rechazado 1.',
  })
})

test('the message about a scheduled transfer does not name an administrator if the bank has already carried it out', () => {
  expect(tell(false, { status: 'done', ...nobody }, { status: 'done', ...nobody })).toMatchObject({
    title: 'No se rechazó nada',
    description: '2 ya se enviaron: devuélvelas si hace falta.',
  })
})

test('a transfer that needs a second administrator is not told as approved', () => {
  expect(tell(true, { status: 'waiting', ...nobody }, { status: 'done', ...marta })).toEqual({
    title: 'Transferencia aprobada',
    description: '1 espera la aprobación de otra persona: hoy llegaste a tu límite.',
  })
})

test('an administrator cannot decline a transfer that the same administrator has approved before', () => {
  expect(tell(false, { status: 'done', ...marta })).toMatchObject({ title: 'No se rechazó nada' })
})

test('the page shows each reason for undecided transfers once, with the number of these transfers', () => {
  const { title, description } = tell(
    false,
    { status: 'declined', ...marta },
    { status: 'cancelled', ...nobody },
    { status: 'cancelled', ...nobody },
    { status: 'expired', ...nobody },
  )
  expect(title).toBe('Transferencia rechazada')
  expect(description).toBe('2 ya no esperaban: quien lo pidió lo canceló. 1 ya no esperaba: venció el plazo.')
})

test('for an approved transfer without funds, the page shows the reason', () => {
  expect(tell(true, { status: 'failed', reason: 'El saldo no alcanza.', ...marta })).toEqual({
    title: 'No se aprobó nada',
    description: '1 no se hizo: El saldo no alcanza.',
    variant: 'destructive',
  })
})

test.each([0, 500, 503])(
  'an answer with the status %i leaves open whether anything was decided',
  (status) => {
    const lost = new TableRefusal({ status, error: {} })

    expect(failureInWords(lost, 'No se aprobó nada')).toEqual({
      title: 'No llegó la respuesta',
      description: 'Puede que sí se haya hecho. Mira la lista antes de intentarlo de nuevo.',
    })
  },
)

test('for a refused decision, the page shows the server’s sentence and says that nothing was decided', () => {
  const refused = new TableRefusal({ status: 403, error: { code: 'PT403', message: 'No puedes.' } })

  expect(failureInWords(refused, 'No se aprobó nada')).toEqual({
    title: 'No se aprobó nada',
    description: 'No puedes.',
  })
})

test('the message about two approved transfers without funds is in the plural', () => {
  const failed = { status: 'failed', reason: 'El saldo no alcanza.', ...marta } as const

  expect(tell(true, failed, failed)).toMatchObject({ description: '2 no se hicieron: El saldo no alcanza.' })
})
