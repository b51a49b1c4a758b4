/**
 * A lost connection recovers automatically, and the page then shows the current data of the database. The test starts
 * its own server.
 */
import { expect, test } from '@playwright/test'
import { signUp } from '#testing/people.ts'
import { startServer, testEnvironment } from '#testing/server.ts'
import { sessionKey } from './people.ts'

/**
 * Matches the line that shows the time of outdated figures. The page does not mention the lost connection
 * (docs/specification.md §8).
 */
const staleLine = /^Cifras de las? \d+:\d\d [ap]/

test(
  'while the server is down the page shows when the figures were read, and missed changes appear after the restart',
  { tag: '@nightly' },
  async ({ page }) => {
    const server = await startServer({
      environment: { ...testEnvironment, AUTH_AUTOCONFIRM: 'true', AVATAR_URL: '', CHART_URL: '' },
    })
    const { client, id, session } = await signUp(server)
    const record = async (description: string) => {
      const expense = { user_id: id, type: 'expense', description, amount: 3, category: 'Otro' }
      const { error } = await client.from('transactions').insert(expense)
      expect(error).toBeNull()
    }
    const row = (description: string) => page.getByRole('main').getByText(description, { exact: true })
    try {
      await record('Antes')
      await record('Borrada entretanto')
      await page.addInitScript(([key, value]) => localStorage.setItem(key, value), [
        sessionKey,
        JSON.stringify(session),
      ] as const)
      await page.goto(`${server.url}/transacciones`)
      await expect(row('Antes')).toBeVisible()
      await record('En vivo')
      await expect(row('En vivo')).toBeVisible()

      await server.stop('SIGKILL')
      await expect(page.getByText(staleLine)).toBeVisible({ timeout: 45_000 })
      await expect(page.getByText(staleLine)).toHaveCount(1)
      await expect(page.getByText('Sin conexión')).toHaveCount(0)
      await expect(row('Antes')).toBeVisible()
      await server.start()
      await record('Mientras nadie oía')
      await client.from('transactions').delete().eq('description', 'Borrada entretanto')

      await expect(row('Mientras nadie oía')).toBeVisible({ timeout: 30_000 })
      await expect(row('Borrada entretanto')).toBeHidden()
      await expect(page.getByText(staleLine)).toBeHidden()
      await record('Y otra vez en vivo')
      await expect(row('Y otra vez en vivo')).toBeVisible()
      await expect(page.getByRole('main').getByText('4 movimientos')).toBeVisible()
    } finally {
      await server.remove()
    }
  },
)
