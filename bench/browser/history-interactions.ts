/**
 * User interactions with a long transaction history. Each interaction is measured from the input until the rows are
 * painted.
 */
import type { Locator, Page } from '@playwright/test'
import { type Interaction, measureInput } from './probe.ts'

/**
 * Search texts in which every character narrows the list, because the probe recognizes the end of a search by the
 * changed list.
 */
const searches = ['123', '456', '789', 'lm1', 'x1', 'nd2', 'rm3', 'b5', '99', '01', 'ec', 'j7']
const orders = ['amount', 'description', 'date', 'amount', 'description', 'date']
const deletions = [1, 2, 3, 4, 5]

/** The interactions. Each is repeated at most the given number of times. */
export const interact = {
  async keys(page: Page, times: number): Promise<Interaction[]> {
    const wholeText = await page.locator('main [role=status]').first().textContent()
    const box = page.getByRole('searchbox')
    const keys: Interaction[] = []
    for (const search of searches.slice(0, times)) {
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
  sorts: (page: Page, times: number) =>
    each(orders.slice(0, times), (order) =>
      chosen(page, () => page.getByLabel('Ordenar por').selectOption(order)),
    ),
  categories: (page: Page, times: number) =>
    each(['Salud', 'Depósitos', 'Todas'].slice(-times), (label) =>
      chosen(page, () => page.getByLabel('Categoría').selectOption({ label })),
    ),
  deletions: (page: Page, times: number) =>
    each(deletions.slice(0, times), () => deleted(page, movements(page))),
  /**
   * Deletes only expenses that the customer recorded. Deleting a transaction that the bank recorded would not change
   * the balance.
   */
  balances: (page: Page, times: number) =>
    each(deletions.slice(0, times), () => {
      const own = movements(page).filter({ hasText: '-$', hasNotText: 'Registrado por el banco' })
      return deleted(page, own, 'balance')
    }),
}

function typed(page: Page, letter: string): Promise<Interaction> {
  return measureInput(page, 'keydown', () => page.keyboard.press(letter))
}

/** Finds the transaction rows, but not the month headings. */
function movements(page: Page): Locator {
  return page.locator('main [role=listitem]')
}

/** Deletes the first row. */
function deleted(page: Page, rows: Locator, until?: 'balance'): Promise<Interaction> {
  const button = rows.first().getByRole('button', { name: /^Eliminar / })
  return measureInput(page, 'click', () => button.click(), until)
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
