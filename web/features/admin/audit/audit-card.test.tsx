// @vitest-environment happy-dom
import { configure, screen } from '@testing-library/react'
import { afterEach, expect, test } from 'vitest'
import { clearPage, serve } from '#testing/page.ts'
import { renderPart } from '#testing/render-part.tsx'
import { AuditCard } from './audit-card.tsx'

// Testing Library waits one second by default, which is too short on a stalled machine.
configure({ asyncUtilTimeout: 15_000 })

afterEach(clearPage)

const entry = {
  recorded_at: '2026-11-23T12:00:00Z',
  origin: 'person',
  actor: 'a',
  actor_name: 'Marta Ríos',
  before: null,
}
const entries = [
  {
    ...entry,
    id: 2,
    action: 'register_batch',
    target: null,
    target_name: null,
    after: { id: 'b', lines: 3, amount: '60.00' },
  },
  { ...entry, id: 1, action: 'read_customer', target: 'c', target_name: 'Laura', after: null },
]

test('an entry about a person shows the person’s name', async () => {
  await serve((path) => (path.endsWith('/audit_entries') ? Response.json(entries) : undefined))
  renderPart(<AuditCard />)
  const [, batch, reading] = await screen.findAllByRole('row')

  expect(cells(batch)).toEqual(['Quién: Marta Ríos', 'Lote de abonos', '', '3 abonos por $60.00'])
  expect(cells(reading)[2]).toBe('A quién: Laura')
})

function cells(row: HTMLElement | undefined) {
  return [...(row?.querySelectorAll('td') ?? [])].slice(1).map(({ textContent }) => textContent)
}
