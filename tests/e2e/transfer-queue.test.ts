/** Administrators decide the large transfers of customers. The specification does not mention transfers. */
import { expect, type Page } from '@playwright/test'
import { population } from '#testing/population.ts'
import { check, everyRule, violations, type State } from './accessibility-rules.ts'
import { staysWhole, textPercents, widths } from './amount-rules.ts'
import type { Person } from './people.ts'
import { historyRow, toast } from './screens.ts'
import { transferTest as test } from './transfer-bank.ts'

const main = (page: Page) => page.getByRole('main')
const rowOf = (page: Page, concept: string) => main(page).getByRole('row').filter({ hasText: concept })

async function askFor(payer: Person, order: { beneficiary_id: string; amount: number; description: string }) {
  const { data, error } = await payer.client.rpc('request_transfer', { id: crypto.randomUUID(), ...order })
  if (error !== null) throw new Error('The transfer was not requested.', { cause: error })
  expect(data).toMatchObject({ status: 'waiting' })
}

test('large transfers wait until administrators decline them with a reason or approve or return them', async ({
  bank,
  openAs,
}) => {
  const ana = await bank.newPerson(population.customer, 1500)
  const luis = await bank.newPerson(population.otherCustomer)
  const marta = await openAs(await bank.newPerson(population.administrator))
  const ines = await openAs(await bank.newPerson(population.secondAdministrator))
  const luisReads = await openAs(luis)
  const beneficiary_id = await bank.confirmBeneficiary(ana, luis)
  await askFor(ana, { beneficiary_id, amount: 600, description: 'Arriendo' })

  await marta.goto('/admin')
  await marta.getByRole('link', { name: 'Solicitudes' }).click()
  await expect(rowOf(marta, 'Arriendo')).toContainText('Ana Pérez a Luis Mora')
  await expect(rowOf(marta, 'Arriendo')).toContainText('Beneficiario nuevo')
  await expect(rowOf(marta, 'Arriendo')).toContainText('Monto inusual')
  expect(await violations(marta, everyRule)).toEqual([])
  await ines.goto('/admin/solicitudes')
  await expect(rowOf(ines, 'Arriendo')).toBeVisible()
  await luisReads.goto('/transacciones')

  await test.step('a reload shows the transfers that customers requested meanwhile', async () => {
    await askFor(ana, { beneficiary_id, amount: 700, description: 'Carro' })
    for (const page of [marta, ines]) {
      await page.reload()
      await expect(main(page).getByText('2 transferencias por decidir')).toBeVisible()
    }
  })

  await test.step('the first administrator declines one, and the customer reads why', async () => {
    await marta
      .getByRole('checkbox', { name: /^Elegir/ })
      .last()
      .check()
    await expect(main(marta).getByRole('status')).toHaveText('1 elegida por $700.00')
    await marta.keyboard.press('d')
    await marta.getByRole('textbox', { name: 'Motivo' }).fill('Llámanos para confirmarla')
    await marta.getByRole('button', { name: 'Rechazar · $700.00' }).click()
    await expect(toast(marta)).toContainText('Transferencia rechazada')

    const { data } = await ana.client.from('requests').select('status, reason').eq('amount', 700).single()
    expect(data).toEqual({ status: 'declined', reason: 'Llámanos para confirmarla' })
    await ines.reload()
    await expect(rowOf(ines, 'Arriendo')).toBeVisible()
    await expect(rowOf(ines, 'Carro')).toHaveCount(0)
  })

  await test.step('the second administrator approves the other one from the keyboard', async () => {
    await ines.getByRole('checkbox').focus()
    await ines.keyboard.press('a')
    await expect(ines.getByRole('dialog')).toContainText('Ana Pérez a Luis Mora')
    await ines.keyboard.press('Enter')
    await expect(toast(ines)).toContainText('Transferencia aprobada')
    await expect(main(ines)).toContainText('No hay solicitudes por decidir.')

    await expect(historyRow(luisReads, 'Transferencia de Ana Pérez: Arriendo')).toBeVisible()
    const anaReads = await openAs(ana)
    await anaReads.goto('/transacciones')
    await expect(historyRow(anaReads, 'Transferencia a Luis Mora: Arriendo')).toBeVisible()
  })

  await test.step('the first administrator returns the money', async () => {
    await marta.getByRole('link', { name: 'Decididas' }).click()
    await expect(rowOf(marta, 'Carro')).toContainText('Llámanos para confirmarla')
    await expect(rowOf(marta, 'Arriendo')).toContainText('La decidió Inés Mora')
    await rowOf(marta, 'Arriendo').getByRole('button').click()
    await marta.getByRole('button', { name: 'Cliente equivocado' }).click()
    await marta.getByRole('dialog').getByRole('button', { name: 'Devolver' }).click()
    await expect(toast(marta)).toContainText('Transferencia devuelta')
    await expect(rowOf(marta, 'Arriendo')).toContainText('Devuelta')

    for (const [{ client }, balance] of [
      [ana, 1500],
      [luis, 0],
    ] as const)
      expect((await client.from('budgets').select('balance').single()).data).toEqual({ balance })
  })
})

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
          route.fulfill({ json: { total: 1, requests: [longTransfer('waiting')] } }),
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
            // The rule does not see an amount in a container whose width is zero.
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
    decided_by: null,
    decided_by_name: null,
    reason: null,
  }
}
