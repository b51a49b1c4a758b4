/** What a customer does to a long history, each measured from the input to the rows. */
import type { Page } from '@playwright/test'
import { type Interaction, measureInput } from './probe.ts'

/** Each letter narrows the list: what changes nothing cannot be seen to be done. */
const searches = ['123', '456', '789', 'lm1', 'x1', 'nd2', 'rm3', 'b5', '99', '01', 'ec', 'j7']
const orders = ['amount', 'description', 'date', 'amount', 'description', 'date']
const deletions = [1, 2, 3, 4, 5]

export const interact = {
  async keys(page: Page): Promise<Interaction[]> {
    const wholeText = await page.locator('main [role=status]').first().textContent()
    const box = page.getByRole('searchbox')
    const keys: Interaction[] = []
    for (const search of searches) {
      await box.focus()
      keys.push(...(await each([...search], (letter) => typed(page, letter))))
      const full = page.waitForFunction(
        (text) => document.querySelector('main [role=status]')?.textContent === text,
        wholeText,
      )
      await box.fill('')
      await full
    }
    return keys
  },
  sorts: (page: Page) =>
    each(orders, (order) => chosen(page, () => page.getByLabel('Ordenar por').selectOption(order))),
  categories: (page: Page) =>
    each(['Salud', 'Depósitos', 'Todas'], (label) =>
      chosen(page, () => page.getByLabel('Categoría').selectOption({ label })),
    ),
  deletions: (page: Page) =>
    each(deletions, () => {
      const button = page.getByRole('button', { name: /^Eliminar / }).first()
      return measureInput(page, 'click', () => button.click())
    }),
  /** Own expenses only: what the bank recorded leaves the list and not the balance. */
  balances: (page: Page) =>
    each(deletions, () => {
      const own = page.locator('main li').filter({ hasText: '-$', hasNotText: 'Registrado por el banco' })
      const button = own.getByRole('button', { name: /^Eliminar / }).first()
      return measureInput(page, 'click', () => button.click(), 'balance')
    }),
}

function typed(page: Page, letter: string): Promise<Interaction> {
  return measureInput(page, 'keydown', () => page.keyboard.press(letter))
}

function chosen(page: Page, choose: () => Promise<unknown>): Promise<Interaction> {
  return measureInput(page, 'change', choose)
}

async function each<T>(
  values: readonly T[],
  measure: (value: T) => Promise<Interaction>,
): Promise<Interaction[]> {
  const measured: Interaction[] = []
  for (const value of values) measured.push(await measure(value))
  return measured
}
