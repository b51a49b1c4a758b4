import { screen, waitFor, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test, vi } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import type { ChosenFile } from '#uploads/choose-card.tsx'
import { sheetOf } from '#staff/deposits/deposits.ts'
import { readDeposits, type ColumnMapping } from '#staff/deposits/deposits-from-rows.ts'
import { OpenBatch } from './batch-card.tsx'

const batch = {
  id: 'b',
  title: 'Nómina',
  created_at: '2026-11-23T12:00:00Z',
  sent_by_name: null,
  lines: 2,
  amount: 20,
  posted: 0,
  posted_amount: 0,
  failed: 0,
  reversed_at: null as string | null,
  reversed_by_name: null as string | null,
  reason: null as string | null,
  reversed: 0,
  reversed_amount: 0,
  kept: 0,
  opens_accounts: false,
  invites_since: null,
  is_held: false,
  stopped_at: null as string | null,
  finished_at: null as string | null,
}

const repeat = vi.fn<(sheet: ChosenFile<ColumnMapping>) => void>()

const show = () =>
  renderPart(
    <>
      <OpenBatch
        id="b"
        isNew={false}
        onAnother={() => {}}
        onRepeat={async (repeated) => repeat(await sheetOf(repeated))}
      />
      <Toaster />
    </>,
  )

test('the page says that staff may close it, and later shows that the batch has finished', async () => {
  let kept = batch
  await serve((path) => Response.json(path.endsWith('/batches') ? kept : []))
  show()

  expect(
    await screen.findByText('Abonando… Puedes cerrar esta página: el banco sigue hasta terminar.'),
  ).not.toBeNull()
  kept = { ...batch, posted: 2, posted_amount: 20, finished_at: '2026-11-23T12:01:00Z' }

  expect(await screen.findByText('Lote terminado')).not.toBeNull()
  expect(screen.getByText('2 de 2 abonos')).not.toBeNull()
})

test('a batch that waits for another administrator can be neither stopped nor reversed', async () => {
  await serve((path) => Response.json(path.endsWith('/batches') ? { ...batch, is_held: true } : []))
  show()

  await screen.findByText('El lote espera a otro administrador. Todavía no se abonó nada.')
  for (const name of ['Detener', 'Continuar', 'Revertir lote'])
    expect(screen.queryByRole('button', { name })).toBeNull()
})

test('staff can stop a batch, and continue it after a refused attempt', async () => {
  let kept = batch
  let isRefused = false
  await serve((path) => {
    if (path.endsWith('/batches')) return Response.json(kept)
    if (path.endsWith('/batch_lines')) return Response.json([])
    if (isRefused) return Response.json({ code: 'PT404', message: 'Este lote no existe.' }, { status: 404 })
    kept = { ...batch, stopped_at: path.endsWith('/stop_batch') ? '2026-11-23T12:01:00Z' : null }
    return Response.json(kept)
  })
  show()

  await userEvent.click(await screen.findByRole('button', { name: 'Detener' }))
  expect(
    await screen.findByText('El lote está detenido. Continúa donde quedó: nada se abona dos veces.'),
  ).not.toBeNull()
  isRefused = true
  await userEvent.click(screen.getByRole('button', { name: 'Continuar' }))
  expect(await screen.findByText('Este lote no existe.')).not.toBeNull()
  isRefused = false
  await userEvent.click(screen.getByRole('button', { name: 'Continuar' }))

  expect(await screen.findByRole('button', { name: 'Detener' })).not.toBeNull()
})

test('staff can reverse a sent batch with a frequent reason, and see the reversal finish', async () => {
  let kept: object = { ...batch, posted: 2, posted_amount: 20, finished_at: '2026-11-23T12:01:00Z' }
  const ordered: unknown[] = []
  await serve((path, body) => {
    if (path.endsWith('/batches')) return Response.json(kept)
    if (!path.endsWith('/reverse_batch')) return Response.json([])
    ordered.push(body)
    kept = {
      ...kept,
      reversed_at: '2026-11-23T12:02:00Z',
      reversed_by_name: 'Marta',
      reason: 'Duplicado',
      finished_at: null,
    }
    return Response.json(kept)
  })
  show()

  await userEvent.click(await screen.findByRole('button', { name: 'Revertir lote' }))
  const dialog = within(await screen.findByRole('dialog'))
  await userEvent.click(dialog.getByRole('button', { name: 'Revertir lote' }))
  expect(ordered).toEqual([])
  await userEvent.click(dialog.getByRole('button', { name: 'Duplicado' }))
  await userEvent.click(dialog.getByRole('button', { name: 'Revertir lote' }))

  expect(await screen.findByText(/^Revirtiendo/)).not.toBeNull()
  expect(ordered).toEqual([{ id: 'b', reason: 'Duplicado' }])
  expect(screen.queryByRole('button', { name: 'Revertir lote' })).toBeNull()
  kept = { ...kept, reversed: 1, reversed_amount: 10, kept: 1, finished_at: '2026-11-23T12:03:00Z' }

  expect(await screen.findByText('Lote revertido')).not.toBeNull()
  expect(screen.getByText('1 abono sin revertir')).not.toBeNull()
  expect(screen.getByText('Motivo: Duplicado. Lo revirtió Marta.')).not.toBeNull()
})

test('a repeated batch contains the same people and amounts, which can be changed', async () => {
  const line = { amount: 1234.5, description: 'Nómina', status: 'posted', fault: null }
  const lines = [
    { ...line, line: 2, profiles: { full_name: 'Ana', user_safe: { email: 'ana@banco.example' } } },
    { ...line, line: 3, profiles: null },
  ]
  await serve((path) =>
    Response.json(path.endsWith('/batch_lines') ? lines : { ...batch, finished_at: '2026-11-23T12:01:00Z' }),
  )
  show()

  await userEvent.click(await screen.findByRole('button', { name: 'Repetir' }))

  await waitFor(() => expect(repeat).toHaveBeenCalledOnce())
  const [sheet] = repeat.mock.calls[0] ?? []
  expect(sheet?.name).toBe('Nómina')
  expect(sheet && readDeposits(sheet.table, sheet.mapping, 'Abono')).toMatchObject([
    { customer: 'ana@banco.example', amountMinor: 123450, description: 'Nómina', customerFault: null },
    { customerFault: 'customer' },
  ])
})

test('the batch page reports a missing answer and sends the request again', async () => {
  let isAway = false
  await serve((path) => {
    if (isAway) return Response.json({ message: 'busy' }, { status: 400 })
    return Response.json(path.endsWith('/batches') ? batch : [])
  })
  show()
  await screen.findByRole('button', { name: 'Detener' })

  isAway = true
  expect(await screen.findByText(/^Sin respuesta del banco/)).not.toBeNull()
  isAway = false

  expect(await screen.findByText(/^Abonando/)).not.toBeNull()
})

test('the page shows why a result file could not be fetched', async () => {
  const message = 'Espera un momento.'
  await serve((path) => {
    if (path.endsWith('/batch_lines')) return Response.json({ code: 'PT429', message }, { status: 429 })
    return Response.json(path.endsWith('/batches') ? { ...batch, finished_at: '2026-11-23T12:01:00Z' } : [])
  })
  show()

  await userEvent.click(await screen.findByRole('button', { name: 'Descargar resultado (CSV)' }))

  expect(await screen.findByText(message)).not.toBeNull()
})
