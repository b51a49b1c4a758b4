// The dialog in which staff make a paper for a customer.
import { screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { PaperDialog, type StaffPaper } from './paper-dialog.tsx'

const customer = { id: 'a', email: 'ana@correo.co', created_at: '2026-01-02T15:00:00Z' }
const sent: unknown[] = []
const saved: Blob[] = []

beforeEach(async () => {
  sent.length = 0
  saved.length = 0
  // happy-dom cannot give an address to the file.
  vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: (blob: Blob) => `blob:${saved.push(blob)}` }))
  await serve((path, body) => {
    if (path.endsWith('/functions/v1/statement')) sent.push(body)
    return Response.json({ csv: 'Banco;Uno' })
  })
})

function open(paper: StaffPaper) {
  renderPart(
    <>
      <PaperDialog customer={customer} paper={paper} onClose={() => undefined} />
      <Toaster />
    </>,
  )
}

const make = () => userEvent.click(screen.getByRole('button', { name: 'Descargar' }))

test('a paper for a customer is requested only with a reason', async () => {
  open('statement')

  await make()

  expect(await screen.findByText('Elige por qué se hace.')).not.toBeNull()
  expect(sent).toEqual([])
})

test('staff choose the month, the reason and the format of a statement', async () => {
  open('statement')
  const month = screen.getByLabelText<HTMLSelectElement>('Mes').options[2]?.value ?? ''
  await userEvent.selectOptions(screen.getByLabelText('Mes'), month)
  await userEvent.selectOptions(screen.getByLabelText('Por qué se hace'), 'Lo pidió por teléfono')
  await userEvent.selectOptions(screen.getByLabelText('Formato'), 'CSV, para una hoja de cálculo')

  await make()

  expect(await screen.findByText('Documento descargado')).not.toBeNull()
  expect(sent).toEqual([{ month, user_id: 'a', reason: 'by_telephone', format: 'csv' }])
  expect(await saved[0]?.text()).toBe('Banco;Uno')
})

test('a receipt for a customer names the transaction and has no month', async () => {
  open({ transaction: 'cafe0000-0000-0000-0000-000000000000' })
  expect(screen.queryByLabelText('Mes')).toBeNull()
  await userEvent.selectOptions(screen.getByLabelText('Por qué se hace'), 'Lo pidió en el mostrador')

  await make()

  expect(await screen.findByText('Documento descargado')).not.toBeNull()
  expect(sent).toEqual([
    {
      transaction_id: 'cafe0000-0000-0000-0000-000000000000',
      user_id: 'a',
      reason: 'in_person',
      format: 'pdf',
    },
  ])
})

test('a certificate of the balance for a customer is asked for with a reason alone', async () => {
  open('certificate')
  expect(screen.queryByLabelText('Mes')).toBeNull()
  await userEvent.selectOptions(screen.getByLabelText('Por qué se hace'), 'Lo pidió en el mostrador')

  await make()

  expect(await screen.findByText('Documento descargado')).not.toBeNull()
  expect(sent).toEqual([{ certificate: 'balance', user_id: 'a', reason: 'in_person', format: 'pdf' }])
})
