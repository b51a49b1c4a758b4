/**
 * The page on which administrators decide requests. These tests run only in the nightly run. In the normal run,
 * two-administrators.test.ts tests how requests are decided. The specification does not mention transfers.
 */
import { expect, type Page } from '@playwright/test'
import { population } from '#testing/population.ts'
import { check, type State } from './accessibility-rules.ts'
import { staysWhole, textPercents, widths } from './amount-rules.ts'
import { transferTest as test } from './transfer-bank.ts'

const main = (page: Page) => page.getByRole('main')

const states: readonly State[] = [
  {
    name: 'the queue with a chosen transfer',
    path: '/admin/solicitudes',
    open: (page) => page.getByRole('checkbox').first().check(),
  },
  {
    name: 'the question before an approval',
    path: '/admin/solicitudes',
    open: (page) =>
      page
        .getByRole('button', { name: /^Aprobar/ })
        .first()
        .click(),
  },
  {
    name: 'a declined transfer without a reason',
    path: '/admin/solicitudes',
    open: async (page) => {
      await page
        .getByRole('button', { name: /^Rechazar/ })
        .first()
        .click()
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Rechazar/ })
        .click()
    },
  },
  {
    name: 'the return of a transfer',
    path: '/admin/solicitudes?vista=decididas',
    open: (page) =>
      page
        .getByRole('button', { name: /^Devolver/ })
        .first()
        .click(),
  },
]

test.describe('nightly', { tag: '@nightly' }, () => {
  for (const state of states) {
    test(`${state.name} breaks no rule of axe and does not overflow`, async ({ bank, openAs }) => {
      const payer = await bank.newPerson(population.customerOfThreeNames, 5000)
      const beneficiary_id = await bank.confirmBeneficiary(payer, await bank.newPerson(population.customer))
      const description = 'Una transferencia con una descripción bastante larga para un celular'
      for (const amount of [1, 1000])
        await payer.client
          .rpc('request_transfer', { id: crypto.randomUUID(), beneficiary_id, amount, description })
          .throwOnError()
      const page = await openAs(await bank.newPerson(population.administrator), { reducedMotion: 'reduce' })
      await check(page, state)
    })
  }

  for (const currency of ['USD', 'COP']) {
    for (const view of ['', '?vista=decididas']) {
      test(`/admin/solicitudes${view} shows complete amounts in ${currency}`, async ({ bank, openAs }) => {
        const page = await openAs(await bank.newPerson(population.administrator), { reducedMotion: 'reduce' })
        await page.route('**/config.json', async (route) => {
          const response = await route.fetch()
          await route.fulfill({ response, json: { ...(await response.json()), displayCurrency: currency } })
        })
        await page.route('**/rpc/list_waiting_requests', (route) =>
          route.fulfill({
            json: { total: 1, amount: 0, first_expires_at: null, requests: [longTransfer('waiting')] },
          }),
        )
        await page.route('**/rpc/list_decided_requests', (route) =>
          route.fulfill({ json: [longTransfer('done')] }),
        )
        await page.goto(`/admin/solicitudes${view}`)
        await expect(main(page).locator('td [data-money]')).toHaveCount(1)
        if (view === '') await page.getByRole('checkbox').check()
        for (const width of widths)
          for (const textPercent of textPercents) {
            await staysWhole(page, { width, textPercent })
            // `staysWhole` would not notice that an amount is hidden in a container whose width is zero.
            const box = await main(page).locator('td [data-money]').boundingBox()
            expect(box?.width, `${width} px, text at ${textPercent} %`).toBeGreaterThan(50)
          }
      })
    }
  }
})

/** Returns a transfer with the largest amount, which is above every limit of the bank. */
function longTransfer(status: string) {
  const at = new Date().toISOString()
  return {
    id: crypto.randomUUID(),
    kind: 'transfer',
    details: null,
    clearing_file: null,
    status,
    asked_by: crypto.randomUUID(),
    asked_at: at,
    payer: crypto.randomUUID(),
    payer_name: null,
    payee: crypto.randomUUID(),
    payee_name: null,
    amount: 999_999_999_999.99,
    description: 'Una transferencia con una descripción bastante larga para un celular',
    due_on: null,
    expires_at: at,
    risk: 7,
    obstacle: null,
    is_stuck: false,
    first_approved_by_name: null,
    facts: null,
    decided_by: null,
    decided_by_name: null,
    reason: null,
  }
}
