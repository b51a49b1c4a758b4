import { act, render, screen } from '@testing-library/react'
import { userEvent } from '@testing-library/user-event'
import type { ComponentProps } from 'react'
import { expect, test, vi } from 'vitest'
import { serve } from '#testing/page.ts'
import { AmountField } from './amount-field.tsx'

test('the field shows a typed amount in the bank’s notation', async () => {
  await open('COP')

  await userEvent.type(field(), '25.000')

  expect(description()).toBe('Se guardará $ 25.000,00')
})

test('the field explains how it interpreted an amount in another notation', async () => {
  await open('USD')

  await userEvent.type(field(), '1.900')

  expect(description()).toBe('Se guardará $1,900.00 (punto de miles)')
})

test.each(['USD', 'COP'])('the field shows the currency %s', async (currency) => {
  await open(currency)

  expect(screen.getByText(currency)).toBeDefined()
})

test('a screen reader announces the amount only once after the user stops typing', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  await open('USD')

  await user.type(field(), '1,900')
  expect(screen.getByRole('status').textContent).toBe('')
  act(() => void vi.advanceTimersByTime(1000))

  expect(screen.getByRole('status').textContent).toBe('Se guardará $1,900.00')
})

test('the field shows an example if it is empty or its amount is invalid', async () => {
  await open('USD')
  expect(description()).toBe('Por ejemplo, 12,500.00')

  await userEvent.type(field(), '12')
  expect(description()).toBe('Se guardará $12.00')
  act(() => field().form?.reset())
  expect(description()).toBe('Por ejemplo, 12,500.00')
  await userEvent.type(field(), '-5')

  expect(description()).toBe('Por ejemplo, 12,500.00')
})

test('the error about an invalid amount disappears when the user types a valid amount', async () => {
  await open('USD', null, { error: 'Escribe el monto solo con números.' })
  await userEvent.type(field(), 'doce')
  expect(description()).toBe('Escribe el monto solo con números.')
  expect(field().getAttribute('aria-invalid')).toBe('true')

  await userEvent.clear(field())
  await userEvent.type(field(), '12.345')

  expect(description()).toBe('Se guardará $12,345.00 (punto de miles)')
  expect(field().getAttribute('aria-invalid')).toBeNull()
  expect(screen.queryByText('Escribe el monto solo con números.')).toBeNull()
})

test('while the user types, an amount that is not allowed is refused and the error is announced', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  await open('USD', null, { check: (minor) => (minor > 10_000 ? 'Es demasiado.' : undefined) })

  await user.type(field(), '101')
  act(() => void vi.advanceTimersByTime(1000))
  expect(description()).toBe('Es demasiado.')
  expect(field().getAttribute('aria-invalid')).toBe('true')
  expect(screen.getByRole('status').textContent).toBe('Es demasiado.')
  await user.type(field(), '{backspace}')

  expect(description()).toBe('Se guardará $10.00')
  expect(field().getAttribute('aria-invalid')).toBeNull()
})

test('the arrow keys change the amount by one, in the currency’s notation', async () => {
  await open('COP', 150_050)
  expect(field().value).toBe('1500,50')

  await userEvent.type(field(), '{ArrowUp}{ArrowUp}{ArrowDown}')

  expect(field().value).toBe('1501,50')
  expect(description()).toBe('Se guardará $ 1.501,50')
})

async function open(
  displayCurrency: string,
  defaultMinor: number | null = null,
  props: Partial<ComponentProps<typeof AmountField>> = {},
) {
  await serve(() => undefined, { displayCurrency })
  render(
    <form>
      <AmountField label="Monto" name="amount" defaultMinor={defaultMinor} {...props} />
    </form>,
  )
}

function field(): HTMLInputElement {
  return screen.getByLabelText<HTMLInputElement>('Monto')
}

function description(): string | undefined {
  const [id = ''] = field().getAttribute('aria-describedby')?.split(' ') ?? []
  return document.getElementById(id)?.textContent?.replaceAll(/\s/g, ' ')
}
