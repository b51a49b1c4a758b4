import { screen, within } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import { SessionContext } from '#people/session/session.ts'
import { serve } from '#testing/page.ts'
import { renderPart, signedIn } from '#testing/render-part.tsx'
import { AddressProvider } from '#ui/address/address.tsx'
import { FirstSteps } from './first-steps.tsx'

beforeEach(() => serve(() => Response.json([])))
test('a new customer sees three steps that each have a button', async () => {
  show({ name: '', limit: null })

  expect(steps()).toEqual([
    'Dinos tu nombreIr a tu perfil',
    'Trae tus movimientosImportar un archivoRegistra un gasto',
    'Fija tu presupuestoFijar el límite del mes',
  ])
  await userEvent.click(screen.getByRole('button', { name: 'Fijar el límite del mes' }))
  expect(await screen.findByRole('dialog')).toBeDefined()
})

test('a completed step shows a tick instead of its button', () => {
  show({ name: 'Laura Restrepo', limit: 100 })

  expect(steps()).toEqual([
    'Dinos tu nombreHecho',
    'Trae tus movimientosImportar un archivoRegistra un gasto',
    'Fija tu presupuestoHecho',
  ])
})

const steps = () =>
  within(screen.getByRole('list'))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

function show({ name, limit }: { name: string; limit: number | null }): void {
  renderPart(
    <AddressProvider>
      <SessionContext value={signedIn({ user_metadata: { full_name: name } })}>
        <FirstSteps limit={limit} />
      </SessionContext>
    </AddressProvider>,
  )
}
