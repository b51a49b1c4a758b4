import { fireEvent, screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { readSheet } from './read-sheet.ts'
import { DepositsPreview } from './preview.tsx'

const why = 'Para enviar, corrige lo señalado en rojo o márcalo.'
const customer = {
  name: 'ana@correo.co',
  id: 'a',
  email: 'ana@correo.co',
  full_name: 'Ana',
  is_blocked: false,
  is_unclaimed: false,
}
let past: object[]

beforeEach(async () => {
  past = []
  await serve((path) => Response.json(path.endsWith('/find_customers') ? [customer] : past))
})

test('a batch with a faulty line can be sent only after the line is excluded', async () => {
  await open('email\tmonto\tconcepto\nana@correo.co\t10\tNómina\nana@correo.co\tcien\tNómina')

  expect((await button()).getAttribute('aria-disabled')).toBe('true')
  expect(screen.getByText(why)).not.toBeNull()
  await userEvent.click(screen.getByLabelText('Enviar los demás sin estas líneas'))

  expect((await button()).getAttribute('aria-disabled')).toBeNull()
  expect(screen.queryByText(why)).toBeNull()
})

test('a faulty line can be corrected in its row with a suggested e-mail address', async () => {
  const found = ['ana@correo.co', 'luis@correo.co']
  await serve((path, body) => {
    if (path.endsWith('/list_customers'))
      return Response.json({ total: 1, customers: [{ id: 'l', full_name: 'Luis Díaz', email: found[1] }] })
    if (!path.endsWith('/find_customers')) return Response.json([])
    const { names } = body as { names: string[] }
    return Response.json(
      names.filter((name) => found.includes(name)).map((name) => ({ ...customer, name, id: name })),
    )
  })
  await open('email\tmonto\tconcepto\nana@correo.co\t10\tNómina\nluis@coreo.co\t5,0,0\tNómina')
  expect((await button()).getAttribute('aria-disabled')).toBe('true')
  const [first] = screen.getAllByLabelText(/^Email o id/) as [HTMLInputElement]
  expect(first.value).toBe('luis@coreo.co')

  await userEvent.clear(first)
  await userEvent.type(first, 'díaz')
  const suggestion = () => document.querySelector<HTMLOptionElement>('datalist option')?.value
  await waitFor(() => expect(suggestion()).toBe(found[1]))
  fireEvent.change(first, { target: { value: suggestion() } })
  const amount = screen.getByLabelText('Monto de la línea 3')
  await userEvent.clear(amount)
  await userEvent.type(amount, '12.500{Enter}')

  const send = await screen.findByRole('button', { name: 'Enviar 2 abonos · $12,510.00' })
  expect(send.getAttribute('aria-disabled')).toBeNull()
  expect(screen.getAllByLabelText(/^Email o id/)[0]).toBe(first)
  await userEvent.click(screen.getByLabelText('No enviar la línea 2'))
  expect(await screen.findByRole('button', { name: 'Enviar 1 abono · $12,500.00' })).not.toBeNull()
})

test('a batch that resembles an earlier batch shows the earlier date and requires a confirmation', async () => {
  past = [{ id: 'b', lines: 1, amount: 10, created_at: '2026-11-23T12:53:00Z', reversed_at: null }]
  await open('ana@correo.co\t10\tNómina')

  const sentence = await screen.findByText(/Ya se envió un lote con los mismos abonos/)
  expect(sentence.textContent?.replace(/\s/g, ' ')).toMatch(/: 23 nov.*, 7:53 a\. m\.$/)
  expect((await button()).getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(screen.getByLabelText('Enviarlo otra vez: es otro pago'))

  expect((await button()).getAttribute('aria-disabled')).toBeNull()
})

const button = () => screen.findByRole('button', { name: /^Enviar 1 abono/ })

async function open(rows: string) {
  const read = await readSheet(rows)
  if (!read.ok) throw new Error(read.reason)
  renderPart(
    <AddressProvider>
      <DepositsPreview
        sheet={{ key: 'k', name: 'Lote', ...read }}
        back={undefined}
        onAnother={() => undefined}
        onSent={() => undefined}
      />
      <Toaster />
    </AddressProvider>,
  )
}
