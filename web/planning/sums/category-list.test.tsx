import { render, screen } from '@testing-library/react'
import { AddressProvider } from '#ui/address/address.tsx'
import { beforeEach, expect, test } from 'vitest'
import type { MinorUnits } from '@finanzas/contract/money.ts'
import { serve } from '#testing/page.ts'
import { CategoryList } from './category-list.tsx'

const category = (name: string, amountMinor: number, isBankCharge = false) => ({
  name,
  category: isBankCharge ? 'Gasto' : name,
  isBankCharge,
  amountMinor: amountMinor as MinorUnits,
  transactions: 1,
})

const list = (most?: number) =>
  render(
    <AddressProvider>
      <CategoryList
        categories={[
          category('Comida', 3000),
          category('Viajes & más', 2000),
          category('Salud', 1000),
          category('Registrado por el banco', 4000, true),
        ]}
        period={{ since: '2026-11-01', until: '2026-11-30' }}
        {...(most !== undefined && { most })}
      />
    </AddressProvider>,
  )

const hrefs = () => screen.getAllByRole('link').map((link) => link.getAttribute('href'))

beforeEach(() => serve(() => undefined))

test('each category links to its transactions in the period, and the line for several categories links to the overview', () => {
  list(2)

  expect(hrefs()).toEqual([
    '/transacciones?categoria=Comida&desde=2026-11-01&hasta=2026-11-30',
    '/transacciones?categoria=Gasto&desde=2026-11-01&hasta=2026-11-30',
    '/resumen?desde=2026-11-01&hasta=2026-11-30',
  ])
})

test('the name of a category is encoded in the link', () => {
  list()

  expect(hrefs()[1]).toBe('/transacciones?categoria=Viajes+%26+m%C3%A1s&desde=2026-11-01&hasta=2026-11-30')
})

test('each line shows the category’s amount and share', () => {
  list()

  expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
    'Comida$30.0030%',
    'Viajes & más$20.0020%',
    'Salud$10.0010%',
    'Registrado por el banco$40.0040%',
  ])
})
