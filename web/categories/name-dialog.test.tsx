import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { NameDialog } from './name-dialog.tsx'

const sent: unknown[] = []

/** The categories that the simulated server stores. */
let kept: string[]
let refusal: { code: string; message: string } | null
const close = vi.fn()

beforeEach(async () => {
  sent.length = 0
  kept = []
  refusal = null
  close.mockReset()
  await serve((path, body, { method }) => {
    if (method === 'GET') return Response.json(path.endsWith('/categories') ? kept.map(nameOf) : [])
    if (refusal !== null) return Response.json(refusal, { status: 409 })
    if (method === 'PATCH') return Response.json([])
    sent.push(body)
    return new Response(null, { status: 201 })
  })
})
test('a customer cannot use the names of the bank’s own entries, in any spelling', async () => {
  open()
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
    'Registrado por el Banco',
    'correccion',
  ]) {
    await save(word)
    expect(screen.queryByText('Esa palabra la usa el banco. Elige otra.'), word).not.toBeNull()
  }
  expect(sent).toEqual([])

  await save('Gastos de casa')
  await waitFor(() => expect(sent).toEqual([{ user_id: 'u', name: 'Gastos de casa' }]))
})

test('renaming a category that another page has removed does not show success', async () => {
  open({ name: 'Mascotas', movements: 0 })
  await save('Perros')

  expect(await screen.findByText('Esta categoría ya no existe: se eliminó en otra página.')).not.toBeNull()
  expect(close).not.toHaveBeenCalled()
})

test('if the answer to a rename is lost, the second attempt says that the rename took effect', async () => {
  kept = ['Perros']
  open({ name: 'Mascotas', movements: 0 })
  await save('Perros')

  await waitFor(() => expect(close).toHaveBeenCalledOnce())
})

test('a category with too many transactions cannot be renamed', async () => {
  refusal = { code: 'PT409', message: 'no' }
  open({ name: 'Mascotas', movements: 10_001 })
  await save('Perros')

  expect(await screen.findByText(/^Tiene más de 10\.000 movimientos/)).not.toBeNull()
})

test('the form shows how long a customer must wait after too many changes', async () => {
  refusal = { code: 'PT429', message: 'Hiciste muchos cambios seguidos. Espera unos minutos.' }
  open({ name: 'Mascotas', movements: 10 })
  await save('Perros')

  expect(await screen.findByText(refusal.message)).not.toBeNull()
})

function open(renamed?: { name: string; movements: number }) {
  renderPart(<NameDialog userId="u" own={['Mascotas']} {...(renamed && { renamed })} onClose={close} />)
}

const nameOf = (name: string) => ({ name })

async function save(name: string) {
  const field = screen.getByLabelText('Nombre')
  await userEvent.clear(field)
  await userEvent.type(field, name)
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }))
}
