import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { Toaster } from '#ui/toast/toaster.tsx'
import { readCustomerSheet } from './customers-from-rows.ts'
import { CustomersPreview } from './preview.tsx'

const heading = 'Nombre;Correo;Tipo de documento;Documento;Celular;Saldo inicial'
const ana = 'Ana Gómez;ANA@correo.co;C.C.;52.123.456;300 123 4567;1.250.000,50'
let sent: { lines: object[] } | null
let past: object[] = []
let refusal: object | null = null
let taken = 'luis@correo.co'

async function open(...rows: string[]) {
  sent = null
  await serve((path, body) => {
    if (path.endsWith('/create_customers')) {
      sent = body as { lines: object[] }
      return refusal === null ? Response.json({ id: 'b' }) : Response.json(refusal, { status: 422 })
    }
    if (!path.endsWith('/find_customers')) return Response.json(past)
    const { names } = body as { names: string[] }
    return Response.json(names.filter((name) => name === taken).map((name) => ({ name, id: 'l' })))
  })
  const read = await readCustomerSheet([heading, ...rows].join('\n'))
  if (!read.ok) throw new Error(read.reason)
  renderPart(
    <AddressProvider>
      <CustomersPreview sheet={{ key: 'k', name: 'clientes.csv', ...read }} onAnother={() => undefined} />
      <Toaster />
    </AddressProvider>,
  )
}
const button = (accounts: string) => screen.findByRole('button', { name: new RegExp(`^Abrir ${accounts}`) })
const type = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label)
  await userEvent.clear(field)
  await userEvent.type(field, `${text}{Enter}`)
}

test('the columns of a usual file are recognized and its lines are sent in the bank’s notation', async () => {
  past = []
  refusal = null
  await open(ana, 'Beto Ruiz;beto@correo.co;;;;')

  await userEvent.click(await button('2 cuentas'))

  await waitFor(() =>
    expect(sent?.lines).toEqual([
      {
        line: 2,
        full_name: 'Ana Gómez',
        email: 'ana@correo.co',
        document_kind: 'CC',
        document_number: '52123456',
        phone: '+573001234567',
        amount: 1250000.5,
      },
      {
        line: 3,
        full_name: 'Beto Ruiz',
        email: 'beto@correo.co',
        document_kind: null,
        document_number: null,
        phone: null,
        amount: 0,
      },
    ]),
  )
})

test.each([
  ['CC 1020304050', 'CC', '1020304050'],
  ['C.C. 1.020.304.050', 'CC', '1020304050'],
  ['NIT 890903938-8', 'NIT', '890903938-8'],
  ['TI1020304050', 'TI', '1020304050'],
  ['Pasaporte: AB12345', 'PA', 'AB12345'],
])('the document %j in one cell is read as its kind and its number', async (cell, kind, number) => {
  past = []
  refusal = null
  await open(`Ana;ana@correo.co;;${cell};;`)

  await userEvent.click(await button('1 cuenta'))

  await waitFor(() => expect(sent?.lines).toMatchObject([{ document_kind: kind, document_number: number }]))
})

test('a number with letters names the missing kind, and nothing else to open is not offered', async () => {
  await open('Ana;ana@correo.co;;AB12345;;')

  expect(await screen.findByText('Falta el tipo de documento')).not.toBeNull()
  expect(screen.queryByLabelText('Abrir las demás sin estas líneas')).toBeNull()
})

test('a cell that contradicts the column of the kind is not guessed', async () => {
  await open('Ana;ana@correo.co;CE;CC 1020304050;;')

  expect(await screen.findByText('No es un número de ese tipo de documento')).not.toBeNull()
})

test('each mistake in a line is named and can be corrected in its field', async () => {
  await open(ana, ';luis@correo.co;NIT;890903938-7;12;-5', 'Otra Ana;ana@correo.co;CC;52123456;;')

  for (const fault of [
    'Falta el nombre',
    'Ya hay un usuario con este email',
    'No es un número de ese tipo de documento',
    'Usa 10 dígitos, o el + de su país',
    'No es un saldo que se pueda depositar',
    'Este email ya está en otra línea',
    'Este documento ya está en otra línea',
  ])
    expect(await screen.findByText(fault)).not.toBeNull()
  expect((await button('1 cuenta')).getAttribute('aria-disabled')).toBe('true')
  await type('Nombre de la línea 3', 'Luis SAS')
  await type('Email de la línea 3', 'luis2@correo.co')
  await type('Número de documento de la línea 3', '890903938-8')
  await type('Teléfono de la línea 3', '601 234 5678')
  await type('Saldo inicial de la línea 3', '5')
  await userEvent.click(screen.getByLabelText('No abrir la línea 4'))

  const send = await button('2 cuentas')
  expect(send.getAttribute('aria-disabled')).toBeNull()
})

test('the fields of a line follow a change of the column mapping', async () => {
  await open(ana, ';luis@correo.co;NIT;890903938-7;12;-5')
  expect(await screen.findByDisplayValue('12')).not.toBeNull()

  const columns = screen.getAllByLabelText('Teléfono').filter((field) => field instanceof HTMLSelectElement)
  await userEvent.selectOptions(columns[0] ?? document.body, 'Correo')

  expect(screen.getByLabelText<HTMLInputElement>('Teléfono de la línea 3').value).toBe('luis@correo.co')
})

test('the refusal of a file names the document that another customer already has', async () => {
  refusal = {
    code: 'PT422',
    message: 'Hay 1 líneas con las que no se puede abrir una cuenta. No se abrió ninguna.',
    details: JSON.stringify([{ line: 2, message: 'Ya hay un cliente con este documento.' }]),
    hint: null,
  }
  await open(ana)

  await userEvent.click(await button('1 cuenta'))

  expect(await screen.findByText('Línea 2: Ya hay un cliente con este documento.')).not.toBeNull()
})

test('a line whose address was taken after the look-up is marked, so that staff can send the other lines', async () => {
  refusal = {
    code: 'PT422',
    message: 'Hay 1 líneas con las que no se puede abrir una cuenta. No se abrió ninguna.',
    details: JSON.stringify([{ line: 2, message: 'Ya hay un usuario con este email.' }]),
    hint: null,
  }
  await open(ana, 'Beto Ruiz;beto@correo.co;;;;')
  const send = await button('2 cuentas')
  await waitFor(() => expect(send.getAttribute('aria-disabled')).toBeNull())
  taken = 'ana@correo.co'
  await userEvent.click(send)

  expect(await screen.findByText('Ya hay un usuario con este email')).not.toBeNull()
  await userEvent.click(screen.getByLabelText('Abrir las demás sin estas líneas'))
  refusal = null
  await userEvent.click(await button('1 cuenta'))

  expect(sent?.lines).toMatchObject([{ email: 'beto@correo.co' }])
  taken = 'luis@correo.co'
})

test('a file that resembles an earlier file requires a confirmation', async () => {
  refusal = null
  past = [
    { id: 'b', lines: 1, amount: 1250000.5, created_at: '2026-11-23T12:53:00Z', opens_accounts: true },
    { id: 'c', lines: 1, amount: 1250000.5, created_at: '2026-11-24T12:53:00Z', opens_accounts: false },
  ]
  await open(ana)

  expect((await screen.findByText(/Ya se envió un archivo/)).textContent).toMatch(/23 nov/)
  expect((await button('1 cuenta')).getAttribute('aria-disabled')).toBe('true')
  await userEvent.click(screen.getByLabelText('Enviarlo otra vez: son otros clientes'))

  expect((await button('1 cuenta')).getAttribute('aria-disabled')).toBeNull()
})
