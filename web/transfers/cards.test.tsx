import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { useState } from 'react'
import { beforeEach, expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart, renderWithToasts } from '#testing/render-part.tsx'
import { accountRow, beneficiaryRow, transferRow } from '#testing/transfer-rows.ts'
import { BeneficiariesCard } from '#transfers/beneficiaries/beneficiaries-card.tsx'
import { LimitsCard } from './limits-card.tsx'
import { LimitsDialog } from './limits-dialog.tsx'
import { ReceptionDialog } from './reception-dialog.tsx'
import { OpenCard } from './open-card.tsx'
import { accountOf } from './transfers.ts'

let calls: [name: string, body: unknown][]
let answer: () => Response

beforeEach(async () => {
  calls = []
  await serve((path, body, { method }) => {
    if (method === 'POST') calls.push([path.split('/').at(-1) ?? '', body])
    return answer()
  })
})

test.each([
  ['cancelled', 'Transferencia cancelada', 'No enviaremos nada a Laura.'],
  ['done', 'No se pudo cancelar la transferencia', 'Hecha el 20 nov'],
] as const)('after an attempt to cancel, the page calls the transfer %s', async (status, title, text) => {
  const transfer = transferRow()
  const ended_at = `${new Date().getUTCFullYear()}-11-20T15:00:00+00:00`
  answer = () => Response.json({ ...transfer, status, ended_at })
  renderWithToasts(<OpenCard userId="u" transfers={[transfer]} onOpen={() => undefined} />)
  await userEvent.click(screen.getByRole('button', { name: /^Cancelar la transferencia a Laura: / }))

  expect(await screen.findAllByText(title)).not.toEqual([])
  expect(screen.getAllByText(text, { exact: false })).not.toEqual([])
  expect(calls).toEqual([['cancel_transfer', { id: transfer.id }]])
})

test('the buttons of two transfers to the same person have different names', () => {
  const transfers = [
    transferRow(),
    transferRow({ amount: 50 }),
    transferRow({ asked_at: '2026-11-20T16:00:00+00:00' }),
  ]
  renderPart(<OpenCard userId="u" transfers={transfers} onOpen={() => undefined} />)

  const names = screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))
  expect(names[0]).toMatch(/^Laura: \$100\.00, pedida el 20 nov/)
  expect(new Set(names).size).toBe(6)
})

test('a transfer to another bank shows the bank and the last digits of the account', () => {
  const transfers = [
    transferRow({ payee_masked: 'Nequi ••••4567' }),
    transferRow({ payee_masked: 'L••• G•••' }),
  ]
  renderPart(<OpenCard userId="u" transfers={transfers} onOpen={() => undefined} />)

  const words = screen.getAllByRole('listitem').map(({ textContent }) => textContent)
  expect(words[0]).toContain('Nequi ••••4567 · Espera la aprobación del banco')
  expect(words[1]).not.toContain('•')
})

test('after a lost answer, the page does not say that the transfer was not cancelled', async () => {
  answer = () => Response.json({}, { status: 503 })
  renderWithToasts(<OpenCard userId="u" transfers={[transferRow()]} onOpen={() => undefined} />)
  await userEvent.click(screen.getByRole('button', { name: /^Cancelar la transferencia a Laura: / }))

  expect(await screen.findAllByText('No sabemos si se canceló la transferencia')).not.toEqual([])
  expect(screen.queryByText('No se pudo cancelar la transferencia')).toBeNull()
})

test('the list says which beneficiaries can receive money, and offers to confirm the others', () => {
  renderPart(
    <BeneficiariesCard
      user={{ id: 'u' }}
      beneficiaries={[
        beneficiaryRow({ name: 'Ana', payee_name: 'A••• R•••' }),
        beneficiaryRow({ name: 'Luis' }),
        beneficiaryRow({ name: 'Zoé', confirmed_at: null }),
        beneficiaryRow({
          name: 'Ferretería',
          address: null,
          destination: {
            bank: '1007',
            kind: 'savings',
            number: '1238901',
            document_kind: 'CC',
            document: '12345',
          },
          payee_name: 'Bancolombia ••••8901',
        }),
      ]}
    />,
  )

  expect(screen.getAllByRole('listitem').map(({ textContent }) => textContent)).toEqual([
    'Analaura@ejemplo.coEn el banco: A••• R•••',
    'Luislaura@ejemplo.coNo encontramos una cuenta de este banco con esta dirección. Corrígela o invita a la persona, y cuando tenga cuenta prueba de nuevo: usa uno de tus 5 intentos del día.InvitarProbar de nuevo',
    'Zoélaura@ejemplo.coSin confirmarConfirmar',
    'FerreteríaBancolombia ••••8901Cuenta en otro banco',
  ])
})

test('a beneficiary is removed only after a confirmation', async () => {
  const zoe = beneficiaryRow({ id: 'zoe', name: 'Zoé' })
  answer = () => Response.json(zoe)
  renderPart(<BeneficiariesCard user={{ id: 'u' }} beneficiaries={[zoe]} />)
  const remove = () => userEvent.click(screen.getByRole('button', { name: 'Quitar a Zoé, laura@ejemplo.co' }))

  await remove()
  await userEvent.click(await screen.findByRole('button', { name: 'No, volver' }))
  expect(calls).toEqual([])
  await remove()
  await userEvent.click(await screen.findByRole('button', { name: 'Quitar' }))
  await waitFor(() => expect(calls).toEqual([['remove_beneficiary', { id: 'zoe' }]]))
})

test('an empty field removes the customer’s own limit', async () => {
  answer = () => Response.json(accountRow())
  await openLimits()
  await userEvent.clear(screen.getByLabelText('Por transferencia'))
  await userEvent.type(screen.getByLabelText('Por día'), '300')
  await save()

  await waitFor(() => expect(calls).toEqual([['set_transfer_limits', { transfer_max: null, day_max: 300 }]]))
})

test('a limit of zero is saved', async () => {
  answer = () => Response.json(accountRow())
  await openLimits()
  for (const name of ['Por transferencia', 'Por día']) {
    await userEvent.clear(screen.getByLabelText(name))
    await userEvent.type(screen.getByLabelText(name), name === 'Por día' ? '0' : '0,00')
  }
  await save()

  await waitFor(() => expect(calls).toEqual([['set_transfer_limits', { transfer_max: 0, day_max: 0 }]]))
})

test('a customer chooses the smallest transfer that they receive and who may send it', async () => {
  answer = () => Response.json(accountRow())
  renderPart(<ReceptionDialog userId="u" account={accountOf(accountRow())} onClose={() => undefined} />)
  await userEvent.type(screen.getByLabelText('Monto mínimo'), '5')
  await userEvent.click(screen.getByRole('checkbox'))
  await save()

  await waitFor(() =>
    expect(calls).toEqual([['set_transfer_reception', { receive_min: 5, from_known: true }]]),
  )
})

test('a customer who empties the smallest amount receives every amount', async () => {
  const account = accountRow({ receive_min: 5, receives_from_known: true })
  answer = () => Response.json(account)
  renderPart(<ReceptionDialog userId="u" account={accountOf(account)} onClose={() => undefined} />)
  await userEvent.clear(screen.getByLabelText('Monto mínimo'))
  await userEvent.click(screen.getByRole('checkbox'))
  await save()

  await waitFor(() =>
    expect(calls).toEqual([['set_transfer_reception', { receive_min: null, from_known: false }]]),
  )
})

test('the card says which transfers the customer receives', () => {
  const account = accountRow({ receive_min: 5, receives_from_known: true })
  renderPart(<LimitsCard userId="u" account={accountOf(account)} />)

  expect(document.body.textContent).toContain(
    'Recibes transferencias desde $5.00. Solo te pueden enviar las personas a las que pagaste',
  )
})

test.each([
  [
    'a part of the limit is left',
    { automatic_max: 42, automatic_day_max: 125 },
    'Hoy puedes enviar $42.00 sin aprobación (hasta $125.00 al día).',
  ],
  [
    'nothing of the limit is left',
    { automatic_max: 0, automatic_day_max: 125 },
    'Hoy puedes enviar $0.00 sin aprobación (hasta $125.00 al día).',
  ],
  [
    'the bank approves everything',
    { automatic_max: 0, automatic_day_max: 0 },
    'El banco aprueba cada transferencia antes de enviarla.',
  ],
])('if %s, the card says what is left today and the rule beside it', (_, limits, sentence) => {
  renderPart(<LimitsCard userId="u" account={accountOf(accountRow(limits))} />)

  expect(document.body.textContent).toContain(sentence)
})

test('without a limit of its own, a transfer without approval is not mentioned', () => {
  const limits = { automatic_max: 2000, automatic_day_max: 2000 }
  renderPart(<LimitsCard userId="u" account={accountOf(accountRow(limits))} />)

  expect(document.body.textContent).not.toContain('aprobación')
})

test('saving one limit does not undo a change that another window made to the other limit', async () => {
  answer = () => Response.json(accountRow())
  renderPart(<ChangingLimits />)
  await userEvent.click(screen.getByRole('button', { name: 'Cambiar tus límites' }))
  await screen.findByLabelText('Por día')
  expect(screen.getAllByText(/\$50\.00/)).not.toEqual([])
  fireEvent.click(screen.getByText('Otra ventana'))
  expect(screen.queryAllByText(/\$50\.00/)).toEqual([])
  await userEvent.clear(screen.getByLabelText('Por transferencia'))
  await userEvent.type(screen.getByLabelText('Por transferencia'), '30')
  await save()

  await waitFor(() => expect(calls).toEqual([['set_transfer_limits', { transfer_max: 30, day_max: 40 }]]))
})

test.each([
  ['42501', 'Cierra sesión y vuelve a entrar para confirmar que eres tú.'],
  ['PT422', 'Escribe un límite de cero o más.'],
])('if the bank refuses a limit with %s, the page shows the reason', async (code, sentence) => {
  answer = () => Response.json({ code, message: 'Escribe un límite de cero o más.' }, { status: 403 })
  await openLimits()
  await save()

  expect(await screen.findByText(sentence)).not.toBeNull()
})

test('a limit above the bank’s limit is refused at its field', async () => {
  await openLimits()
  await userEvent.type(screen.getByLabelText('Por día'), '2001')
  await save()

  expect(screen.getByText('El banco no permite un límite tan alto.')).not.toBeNull()
  expect(calls).toEqual([])
})

function ChangingLimits() {
  const [own_max, setDayMax] = useState(50)
  const [transfer, day] = accountRow().limits
  const limits = [transfer, { ...day, own_max }] as ReturnType<typeof accountRow>['limits']
  return (
    <>
      <LimitsCard userId="u" account={accountOf(accountRow({ limits }))} />
      <button type="button" onClick={() => setDayMax(40)}>
        {'Otra ventana'}
      </button>
    </>
  )
}

function openLimits() {
  renderPart(<LimitsDialog userId="u" account={accountOf(accountRow())} onClose={() => undefined} />)
  return screen.findByLabelText('Por día')
}

function save() {
  return userEvent.click(screen.getByRole('button', { name: 'Guardar' }))
}
