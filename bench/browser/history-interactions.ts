/** What a customer does to a long history, each measured from the input to the rows. */
import type { Page } from '@playwright/test'
import { type Interaction, measureInput } from './probe.ts'

/** Each letter narrows the list: what changes nothing cannot be seen to be done. */
const searches = ['123', '456', '789', 'lm1', 'x1', 'nd2', 'rm3', 'b5', '99', '01', 'ec', 'j7']

const deletionsCount = 5

export const interact = {
  async keys(page: Page): Promise<Interaction[]> {
    const keys: Interaction[] = []
    const wholeText = await page.locator('main section [role=status]').first().textContent()
    const box = page.getByRole('searchbox')
    for (const search of searches) {
      await box.focus()
      for (const letter of search) {
        keys.push(await measureInput(page, 'keydown', () => page.keyboard.press(letter)))
      }
      const full = page.waitForFunction(
        (text) => document.querySelector('main section [role=status]')?.textContent === text,
        wholeText,
      )
      await box.fill('')
      await full
    }
    return keys
  },
  async sorts(page: Page): Promise<Interaction[]> {
    const sorts: Interaction[] = []
    for (const order of ['amount', 'description', 'date', 'amount', 'description', 'date']) {
      const select = page.getByLabel('Ordenar por')
      sorts.push(await measureInput(page, 'change', () => select.selectOption(order)))
    }
    return sorts
  },
  async categories(page: Page): Promise<Interaction[]> {
    const categories: Interaction[] = []
    for (const label of ['Salud', 'Depósitos', 'Todas']) {
      const select = page.getByLabel('Categoría')
      categories.push(await measureInput(page, 'change', () => select.selectOption({ label })))
    }
    return categories
  },
  async deletions(page: Page): Promise<Interaction[]> {
    const deletions: Interaction[] = []
    for (let round = 0; round < deletionsCount; round += 1) {
      const button = page.getByRole('button', { name: /^Eliminar / }).first()
      deletions.push(await measureInput(page, 'click', () => button.click()))
    }
    return deletions
  },
  /** Own expenses only: what the bank recorded leaves the list and not the balance. */
  async balances(page: Page): Promise<Interaction[]> {
    const balances: Interaction[] = []
    for (let round = 0; round < deletionsCount; round += 1) {
      const own = page.locator('main li').filter({ hasText: '-$', hasNotText: 'Registrado por el banco' })
      const button = own.getByRole('button', { name: /^Eliminar / }).first()
      balances.push(await measureInput(page, 'click', () => button.click(), 'balance'))
    }
    return balances
  },
}
