// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { configure, render, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { clearPage, serve } from '#testing/page.ts'
import { NameDialog } from './name-dialog.tsx'

// A machine that stalls takes longer than the second that Testing Library waits.
configure({ asyncUtilTimeout: 15_000 })

const sent: unknown[] = []

beforeEach(async () => {
  sent.length = 0
  await serve((_, body, { method }) => {
    if (method !== 'POST') return Response.json([])
    sent.push(body)
    return new Response(null, { status: 201 })
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <NameDialog userId="u" own={['Mascotas']} onClose={() => {}} />
    </QueryClientProvider>,
  )
})
afterEach(clearPage)

test('a word that lists use for something of the bank’s is taken, however it is written', async () => {
  for (const word of ['comida', 'MASCOTAS']) {
    await save(word)
    expect(screen.queryByText('Ya hay una categoría con ese nombre.'), word).not.toBeNull()
  }
  for (const word of [
    'gasto',
    'Deposito',
    'Depósito',
    'depositos',
    'SIN CATEGORIA',
    'Cobros del Banco',
    'correccion',
  ]) {
    await save(word)
    expect(screen.queryByText('Esa palabra la usa el banco. Elige otra.'), word).not.toBeNull()
  }
  expect(sent).toEqual([])

  await save('Gastos de casa')
  await waitFor(() => expect(sent).toEqual([{ user_id: 'u', name: 'Gastos de casa' }]))
})

async function save(name: string) {
  const field = screen.getByLabelText('Nombre')
  await userEvent.clear(field)
  await userEvent.type(field, name)
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }))
}
