/**
 * Presses `Verificar` for a long journal in a real browser. Measures how long the verification takes, and whether the
 * page stays responsive.
 */
import { inBrowser } from '#bench/browser/page.ts'
import { atMost } from '#testing/report.ts'
import { measureWork } from '#bench/browser/main-thread.ts'
import type { Scenario } from '#bench/scenario.ts'

const waitMaxMs = 60_000

/** Largest allowed values, in milliseconds. */
const lines = { verdict: 10_000, longTask: 50 }

export const ownVerification: Scenario = {
  title: 'Browser: verifying a journal of 100,000 entries',
  needs: ['browser'],
  run: (fixtures) =>
    inBrowser(fixtures, async ({ browser, origin, openPage }) => {
      // The customer with the longest history.
      const page = await openPage(fixtures.sizes.histories.length)
      await page.goto(`${origin}/dashboard`)
      await page.getByRole('button', { name: '¿Por qué este saldo?' }).click()
      const verify = page.getByRole('dialog').getByRole('button', { name: 'Verificar' })
      await verify.waitFor()
      let verdictMs = 0
      const work = await measureWork(browser, page, async () => {
        const startedAt = performance.now()
        await verify.click()
        await page
          // The number of entries varies, because the history scenario's deletions add journal entries.
          .getByText(/^Todo coincide: los [\d.]+ registros/)
          .waitFor({ timeout: waitMaxMs })
        verdictMs = performance.now() - startedAt
      })
      return [
        atMost('from the click to the verdict', verdictMs, lines.verdict, 'ms'),
        atMost('longest task meanwhile, processor time', work.longestTaskMs, lines.longTask, 'ms'),
      ]
    }),
}
