import { screen, waitFor } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { serve } from '#testing/page.ts'
import { renderWithToasts } from '#testing/render-part.tsx'
import { AliasCard } from './alias-card.tsx'

let own: { alias: string | null; changes_left: number; is_taken: boolean }
/** The aliases that the page sent in its requests. */
let asked: unknown[]
let isTaken: boolean

beforeEach(async () => {
  own = { alias: null, changes_left: 3, is_taken: false }
  asked = []
  isTaken = false
  await serve((_, body, { method }) => {
    if (method !== 'POST') return Response.json(own)
    asked.push(body)
    if (!isTaken) own = { ...own, ...(body as object) }
    return Response.json({ ...own, is_taken: isTaken })
  })
})

test('a customer chooses an alias, and the card shows it', async () => {
  await open('Elegir tu llave', '@Anita.P')

  expect(await screen.findByText('@anita.p')).not.toBeNull()
  expect(asked).toEqual([{ alias: 'anita.p' }])
})

test('an empty field removes the alias', async () => {
  own.alias = 'anita.p'
  await open('Cambiar tu llave', '')

  expect(await screen.findByRole('button', { name: 'Elegir tu llave' })).not.toBeNull()
  expect(asked).toEqual([{ alias: null }])
})

test.each(['', 'ab', '1ana', 'ana@ejemplo.co', 'a'.repeat(31)])(
  'the alias “%s” is refused at its field',
  async (alias) => {
    await open('Elegir tu llave', alias)

    expect(screen.getByLabelText('Llave').getAttribute('aria-invalid')).toBe('true')
    expect(asked).toEqual([])
  },
)

test('the alias of another customer is refused at the field', async () => {
  isTaken = true
  await open('Elegir tu llave', 'anita.p')

  await waitFor(() => expect(screen.getByLabelText('Llave').getAttribute('aria-invalid')).toBe('true'))
  expect(screen.getAllByText(/ya es de otra persona/)).not.toEqual([])
})

async function open(button: string, alias: string): Promise<void> {
  renderWithToasts(<AliasCard userId="u" />)
  await userEvent.click(await screen.findByRole('button', { name: button }))
  const field = await screen.findByLabelText('Llave')
  await userEvent.clear(field)
  if (alias !== '') await userEvent.type(field, alias)
  await userEvent.click(screen.getByRole('button', { name: 'Guardar' }))
}
