import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { ClearingCard } from './clearing-card.tsx'

const file = {
  number: 1,
  closed_at: '2026-11-20T15:00:00+00:00',
  closed_by_name: 'Laura',
  transfers: 2,
  amount: 30.5,
  csv: null,
  xml: null,
  csv_hash: null,
  xml_hash: null,
  returned: 0,
}
let calls: [name: string, body: unknown][]
let isClosed: boolean
let hasAccount: boolean
let returned: number
let unreturned: { id: string; amount: number; reason: string }[]
let saved: Blob[]
let refusal: object | null

beforeEach(async () => {
  calls = []
  saved = []
  isClosed = false
  hasAccount = true
  returned = 0
  unreturned = []
  refusal = null
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}` }))
  await serve((path, body) => {
    const name = path.split('/').at(-1) ?? ''
    if (name === 'list_clearing')
      return Response.json({
        next_number: isClosed ? 2 : 1,
        waiting: isClosed ? 0 : 2,
        waiting_amount: isClosed ? 0 : 30.5,
        waiting_since: isClosed ? null : '2026-11-20T14:00:00+00:00',
        handed_amount: isClosed ? 30.5 : 0,
        files: isClosed ? [{ ...file, returned, unreturned }] : [],
        has_account: hasAccount,
      })
    calls.push([name, body])
    if (refusal !== null) return Response.json(refusal, { status: 403 })
    if (name === 'return_clearing_file') {
      returned = 2
      return Response.json({ transfers: 2, amount: 30.5, left_out: 0, is_waiting: false })
    }
    isClosed = true
    return Response.json({ ...file, xml: '<Document/>', csv: 'archivo' })
  })
})

test('an administrator closes the file whose number the page shows, and downloads the bytes that the bank stored', async () => {
  renderPart(
    <>
      <ClearingCard />
      <Toaster />
    </>,
  )
  expect(await screen.findByText(/^2 transferencias por enviar: /)).not.toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Cerrar el archivo 1' }))

  expect(await screen.findByText('No hay transferencias por enviar.')).not.toBeNull()
  expect(await screen.findAllByText('Archivo 1 cerrado')).not.toEqual([])
  const next = screen.getByRole('button', { name: 'Cerrar el archivo 2' })
  await waitFor(() => expect(next.getAttribute('aria-busy')).toBeNull())
  expect(next.getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(screen.getByRole('button', { name: 'Descargar el archivo 1 en pain.001' }))
  await waitFor(() => expect(saved).toHaveLength(1))
  expect(await saved[0]?.text()).toBe('<Document/>')
  expect(calls).toEqual([
    ['close_clearing_file', { number: 1 }],
    ['read_clearing_file', { number: 1 }],
  ])
})

test('an administrator must enter the password if the bank requires it before closing a file', async () => {
  refusal = { code: 'reauthentication_needed', message: 'Confirma tu contraseña para continuar.' }
  renderPart(<ClearingCard />)

  await userEvent.click(await screen.findByRole('button', { name: 'Cerrar el archivo 1' }))

  expect(await screen.findByRole('dialog', { name: 'Confirma que eres tú' })).toBeDefined()
  expect(screen.getByText('Escribe tu contraseña para cerrar este archivo.')).toBeDefined()
})

test('an administrator returns a whole file with a reason, and the file then says how many transfers were returned', async () => {
  isClosed = true
  renderPart(
    <>
      <ClearingCard />
      <Toaster />
    </>,
  )

  await userEvent.click(await screen.findByRole('button', { name: 'Devolver todo el archivo 1' }))
  const dialog = await screen.findByRole('dialog', { name: 'Devolver todo el archivo 1' })
  await userEvent.type(within(dialog).getByLabelText('Motivo'), 'La compensación lo rechazó')
  await userEvent.click(within(dialog).getByRole('button', { name: 'Devolver todo el archivo' }))

  expect(await screen.findAllByText('Devolución ordenada')).not.toEqual([])
  expect(await screen.findByText(/2 devueltas$/)).not.toBeNull()
  expect(screen.queryByRole('button', { name: 'Devolver todo el archivo 1' })).toBeNull()
  expect(calls).toEqual([['return_clearing_file', { number: 1, reason: 'La compensación lo rechazó' }]])
})

test('the page warns before the closing of a file that will not state the bank’s account', async () => {
  hasAccount = false
  renderPart(<ClearingCard />)

  expect(await screen.findByText(/^El archivo no dirá la cuenta del banco/)).not.toBeNull()
})

test('the page says which transfers the return of a file left out, and why', async () => {
  isClosed = true
  unreturned = [
    { id: '5f0b8b3e-6a55-4d0c-9d6e-0c8f6f2f7a10', amount: 10.25, reason: 'Quien pagó cerró su cuenta.' },
  ]
  renderPart(<ClearingCard />)

  const left = (await screen.findByText(/^Sin devolver/)).closest('p')
  expect(left?.textContent).toContain('Sin devolver 5f0b8b3e6a554d0c9d6e0c8f6f2f7a10: $10.25')
  expect(left?.textContent).toContain('Quien pagó cerró su cuenta.')
})
