// @vitest-environment happy-dom
import { configure, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, expect, test } from 'vitest'
import { clearPage, serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { OpenBatch } from './batch-card.tsx'

// A machine that stalls takes longer than the second that Testing Library waits.
configure({ asyncUtilTimeout: 15_000 })

afterEach(clearPage)

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
  finished_at: null as string | null,
}

test('a batch that was refused can be continued', async () => {
  let kept = batch
  let isRefused = true
  await serve((path) => {
    if (!path.endsWith('/post_batch')) return Response.json(path.endsWith('/batches') ? kept : [])
    if (isRefused) return Response.json({ code: '42501', message: 'no' }, { status: 403 })
    kept = { ...batch, posted: 2, posted_amount: 20, finished_at: '2026-11-23T12:01:00Z' }
    return Response.json(kept)
  })
  renderPart(<OpenBatch id="b" beginsAtOnce onAnother={() => {}} />)

  const go = await screen.findByRole('button', { name: 'Continuar' })
  isRefused = false
  await userEvent.click(go)

  expect(await screen.findByText('2 de 2 abonos')).not.toBeNull()
})

test('a result that the bank does not give says why', async () => {
  const message = 'Espera un momento.'
  await serve((path) => {
    if (path.endsWith('/batch_lines')) return Response.json({ code: 'PT429', message }, { status: 429 })
    return Response.json(path.endsWith('/batches') ? { ...batch, finished_at: '2026-11-23T12:01:00Z' } : [])
  })
  renderPart(
    <>
      <OpenBatch id="b" beginsAtOnce={false} onAnother={() => {}} />
      <Toaster />
    </>,
  )

  await userEvent.click(await screen.findByRole('button', { name: 'Descargar resultado (CSV)' }))

  expect(await screen.findByText(message)).not.toBeNull()
})

test('a clerk reads that closing the page stops the batch', async () => {
  await serve((path) =>
    path.endsWith('/post_batch')
      ? new Promise<Response>(() => undefined)
      : Response.json(path.endsWith('/batches') ? batch : []),
  )
  renderPart(<OpenBatch id="b" beginsAtOnce onAnother={() => {}} />)

  expect(
    await screen.findByText(
      'Abonando… Si cierras esta página, el lote se detiene hasta que alguien pulse Continuar.',
    ),
  ).not.toBeNull()
})
