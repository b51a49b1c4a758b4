/**
 * Two customers and two administrators: a large deposit, a large transfer and a promotion wait for the decision of an
 * administrator who did not request them. The specification does not mention second administrators.
 */
import { readFile } from 'node:fs/promises'
import { createClient } from '@supabase/supabase-js'
import { expect, type Page } from '@playwright/test'
import { signIn } from '#testing/people.ts'
import { type Described, newEmail, population } from '#testing/population.ts'
import { startServer, testEnvironment } from '#testing/server.ts'
import { everyRule, violations } from './accessibility-rules.ts'
import { type Person, test as base } from './people.ts'
import { card, historyRow, password, toast } from './screens.ts'

type Bank = { url: string; newPerson: (described: Described) => Promise<Person> }

/** A test in a bank that has all features, and that requires a second administrator for amounts above 1,000. */
const test = base.extend<object, { bank: Bank }>({
  bank: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from its first parameter
    async ({}, use) => {
      const server = await startServer({
        environment: {
          ...testEnvironment,
          FEATURES: 'transferencias,notificaciones',
          STAFF_APPROVAL_ABOVE: '1000',
        },
      })
      // The service key creates the administrators, because in this bank a single administrator cannot create another
      // one.
      const service = createClient(server.url, await server.serviceRoleKey(), {
        auth: { persistSession: false },
      })
      await use({
        url: server.url,
        newPerson: async ({ fullName, role }) => {
          const credentials = { email: newEmail(), password }
          const { error } = await service.auth.admin.createUser({
            ...credentials,
            email_confirm: true,
            user_metadata: { full_name: fullName },
            app_metadata: role === 'admin' ? { role } : {},
          })
          if (error !== null) throw new Error('The user was not created.', { cause: error })
          return { ...(await signIn(server, credentials)), fullName }
        },
      })
      await server.remove()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ bank }, use) => use(bank.url),
})

const main = (page: Page) => page.getByRole('main')

/** This test needs no page, but needs a bank with this rule. */
test('an administrator is demoted, blocked or deleted only after a third administrator approves it', async ({
  bank,
}) => {
  const [asker, decider, subject] = [
    await bank.newPerson({ ...population.administrator, fullName: 'Inés Mora' }),
    await bank.newPerson({ ...population.administrator, fullName: 'Omar Díaz' }),
    await bank.newPerson({ ...population.administrator, fullName: 'Nora Gil' }),
  ]
  const { id } = subject
  const demoted = await asker.client.from('profiles').update({ role: 'user' }).eq('id', id)
  const blocked = await asker.client.rpc('block_user', { user_id: id, reason: 'suspected_fraud', hours: 24 })
  const deleted = await asker.client.functions.invoke('manage-users', {
    body: { action: 'delete', userId: id },
  })

  expect([demoted.status, blocked.status, deleted.data]).toEqual([204, 204, { id, status: 'waiting' }])
  const { data: subjectReads } = await subject.client.rpc('list_waiting_requests')
  const asked = subjectReads.requests.filter((each: { about: string }) => each.about === id)
  expect(asked).toMatchObject([
    { kind: 'demotion', obstacle: 'own', asked_by_name: 'Inés Mora' },
    { kind: 'block', obstacle: 'own', details: { hours: 24, reason: 'suspected_fraud' } },
    { kind: 'deletion', obstacle: 'own', amount: null },
  ])
  expect((await asker.client.rpc('end_sessions', { user_id: id })).status).toBe(204)
  expect((await subject.client.rpc('list_waiting_requests')).status).toBe(401)
  const decided = await decider.client.rpc('decide_requests', {
    ids: asked.map((each: { id: string }) => each.id),
    approve: true,
  })
  expect(decided.data).toMatchObject([{ status: 'done' }, { status: 'done' }, { status: 'done' }])
  expect((await asker.client.from('profiles').select().eq('id', id)).data).toEqual([])
})

const rowOf = (page: Page, subject: string) => main(page).getByRole('row').filter({ hasText: subject })
const balanceOf = async ({ client }: Person) => (await client.from('budgets').select('balance').single()).data

/** The server sends notifications to customers every 15 seconds. */
const reportMs = 40_000

test('large amounts and a promotion wait for another administrator, and both customers see the result', async ({
  bank,
  openAs,
}) => {
  test.slow()
  const [ana, luis] = [
    await bank.newPerson(population.customer),
    await bank.newPerson(population.otherCustomer),
  ]
  const alias = `luis.${luis.id.slice(0, 8)}`
  await luis.client.rpc('set_notifications', { kinds: ['transfer'] }).throwOnError()
  const marta = await openAs(await bank.newPerson(population.administrator))
  const ines = await openAs(await bank.newPerson(population.secondAdministrator))
  const anaReads = await openAs(ana)
  const luisReads = await openAs(luis)

  await test.step('a clerk registers a deposit above the limit and reads that the deposit waits', async () => {
    await marta.goto('/admin')
    await marta.getByRole('searchbox').fill(ana.email)
    await marta.getByRole('button', { name: 'Nueva transacción para Ana Pérez' }).click()
    await marta.getByLabel('Monto (COP)').fill('1500')
    await marta.getByLabel('Descripción').fill('Premio')
    await marta.getByRole('button', { name: 'Depositar $1,500.00 a Ana Pérez' }).click()
    await expect(toast(marta)).toContainText('Espera a otro administrador')
    expect(await balanceOf(ana)).toEqual({ balance: 0 })

    await toast(marta).getByRole('button', { name: 'Ver' }).click()
    await expect(rowOf(marta, 'Depósito a Ana Pérez')).toContainText('Es tuya: la decide otra persona.')
    await expect(marta.getByRole('button', { name: /^Aprobar el depósito a Ana Pérez/ })).toHaveCount(0)
    expect(await violations(marta, everyRule)).toEqual([])
  })

  await test.step('the other administrator approves the deposit', async () => {
    await ines.goto('/admin')
    await ines.getByRole('link', { name: 'Solicitudes' }).click()
    await expect(rowOf(ines, 'Depósito a Ana Pérez')).toContainText('Lo pidió Marta Ríos')
    await ines.getByRole('button', { name: /^Aprobar el depósito a Ana Pérez/ }).click()
    await ines.getByRole('dialog').getByRole('button', { name: 'Aprobar · $1,500.00' }).click()
    await expect(toast(ines)).toContainText('Solicitud aprobada')
    expect(await balanceOf(ana)).toEqual({ balance: 1500 })

    await ines.goto('/admin?vista=registro')
    await expect(rowOf(ines, 'Registro de transacción')).toContainText('Marta Ríos, aprobado por Inés Mora')
  })

  await test.step('a customer chooses an alias', async () => {
    await luisReads.goto('/transferencias')
    await luisReads.getByRole('button', { name: 'Elegir tu llave' }).click()
    await luisReads.getByRole('textbox', { name: 'Llave' }).fill(`@${alias}`)
    expect(await violations(luisReads, everyRule)).toEqual([])
    await luisReads.getByRole('button', { name: 'Guardar' }).click()
    await expect(card(luisReads, 'Tu llave')).toContainText(`@${alias}`)
    await luisReads.goto('/transacciones')
  })

  await test.step('the other customer adds a beneficiary by alias and requests a large transfer', async () => {
    await anaReads.goto('/transferencias?nueva=1')
    const form = anaReads.getByRole('dialog', { name: 'Nueva transferencia' })
    await form.getByLabel('Nombre').fill('Luis el vecino')
    await form.getByLabel('Email o llave').fill(`@${alias}`)
    await form.getByLabel('Monto').fill('600')
    await form.getByLabel('Concepto').fill('Arriendo')
    await form.getByRole('button', { name: 'Continuar' }).click()
    const summary = anaReads.getByRole('dialog', { name: 'Revisa la transferencia' })
    await expect(summary).toContainText(`Luis el vecinoL••• M••• · @${alias}`)
    await summary.getByRole('button', { name: 'Transferir $600.00' }).click()
    await expect(toast(anaReads)).toContainText('Espera la aprobación del banco')
  })

  await test.step('the first administrator declines a transfer, and the customer can read the reason', async () => {
    const { data: beneficiary } = await ana.client.from('beneficiaries').select('id').single().throwOnError()
    await ana.client
      .rpc('request_transfer', {
        id: crypto.randomUUID(),
        beneficiary_id: beneficiary.id,
        amount: 700,
        description: 'Carro',
      })
      .throwOnError()
    await marta.reload()
    await expect(main(marta).getByText('2 transferencias por decidir')).toBeVisible()
    await expect(rowOf(marta, 'Arriendo')).toContainText('Ana Pérez a Luis Mora')
    await expect(rowOf(marta, 'Arriendo')).toContainText('Beneficiario nuevo')
    await expect(rowOf(marta, 'Arriendo')).toContainText('Su primera transferencia')
    await marta
      .getByRole('checkbox', { name: /^Elegir/ })
      .last()
      .check()
    await expect(main(marta).getByRole('status')).toHaveText('1 elegida por $700.00')
    await marta.keyboard.press('r')
    await marta.getByRole('textbox', { name: 'Motivo' }).fill('Llámanos para confirmarla')
    await marta.getByRole('button', { name: 'Rechazar · $700.00' }).click()
    await expect(toast(marta)).toContainText('Transferencia rechazada')

    const { data } = await ana.client.from('requests').select('status, reason').eq('amount', 700).single()
    expect(data).toEqual({ status: 'declined', reason: 'Llámanos para confirmarla' })
  })

  await test.step('the second administrator approves the transfer from the keyboard, and it arrives', async () => {
    await ines.goto('/admin/solicitudes')
    await expect(rowOf(ines, 'Carro')).toHaveCount(0)
    await ines.getByRole('checkbox').focus()
    await ines.keyboard.press('a')
    await expect(ines.getByRole('dialog')).toContainText('Ana Pérez a Luis Mora')
    await ines.keyboard.press('Enter')
    await expect(toast(ines)).toContainText('Transferencia aprobada')
    await expect(main(ines)).toContainText('No hay solicitudes por decidir.')
    await expect(historyRow(luisReads, 'Transferencia recibida de «Ana Pérez»: «Arriendo»')).toBeVisible()
  })

  await test.step('the payer downloads a receipt', async () => {
    await card(anaReads, 'Anteriores')
      .getByRole('button', { name: /^Luis el vecino: \$600/ })
      .click()
    const coming = anaReads.waitForEvent('download')
    await anaReads.getByRole('button', { name: 'Descargar comprobante' }).click()
    expect((await coming).suggestedFilename()).toMatch(/\.pdf$/)
  })

  await test.step('the payee downloads a receipt that names both customers, and the page verifies it', async () => {
    await historyRow(luisReads, 'Transferencia recibida de «Ana Pérez»: «Arriendo»').click()
    const coming = luisReads.waitForEvent('download')
    await luisReads.getByRole('dialog').getByRole('button', { name: 'Descargar comprobante' }).click()
    const buffer = await readFile(await (await coming).path())
    await luisReads.goto('/extractos')
    const file = { name: 'comprobante.pdf', mimeType: 'application/pdf', buffer }
    await main(luisReads).getByLabel('Elige un archivo').setInputFiles(file)
    const verdict = main(luisReads).getByRole('status').last()
    await expect(verdict).toContainText('El comprobante es auténtico')
    await expect(verdict).toContainText(
      `Transferencia de Ana Pérez (nombre declarado) para ${luis.fullName} (nombre declarado) · ${luis.email}. Concepto declarado: «Arriendo»`,
    )
    await expect(verdict).toContainText('los que escribieron los clientes, y el banco no los comprobó')
  })

  await test.step('the first administrator returns the money', async () => {
    await marta.getByRole('link', { name: 'Decididas' }).click()
    await expect(rowOf(marta, 'Carro')).toContainText('Llámanos para confirmarla')
    await expect(rowOf(marta, 'Arriendo')).toContainText('La decidió Inés Mora')
    await expect(rowOf(marta, 'Depósito a Ana Pérez')).toContainText('La decidió Inés Mora')
    await rowOf(marta, 'Arriendo').getByRole('button').click()
    await marta.getByRole('button', { name: 'Cliente equivocado' }).click()
    await marta.getByRole('dialog').getByRole('button', { name: 'Devolver' }).click()
    await expect(toast(marta)).toContainText('Transferencia devuelta')
    await expect(rowOf(marta, 'Arriendo')).toContainText('Devuelta')

    expect(await balanceOf(ana)).toEqual({ balance: 1500 })
    expect(await balanceOf(luis)).toEqual({ balance: 0 })
  })

  await test.step('a promotion waits for another administrator too, and the clerk can read why it was declined', async () => {
    await marta.goto('/admin')
    await marta.getByRole('searchbox').fill(ana.email)
    await marta.getByRole('button', { name: 'Más acciones de Ana Pérez' }).click()
    await marta.getByRole('button', { name: 'Editar rol de Ana Pérez' }).click()
    await marta.getByRole('dialog').getByLabel('Rol').selectOption('admin')
    await marta.getByRole('dialog').getByRole('button', { name: 'Guardar' }).click()
    await expect(toast(marta)).toContainText('Espera a otro administrador')

    await ines.reload()
    await ines.getByRole('button', { name: /^Rechazar el rol de administrador para Ana Pérez/ }).click()
    await ines.getByRole('textbox', { name: 'Motivo' }).fill('Ana no trabaja aquí')
    await ines.getByRole('dialog').getByRole('button', { name: 'Rechazar' }).click()
    await expect(toast(ines)).toContainText('Solicitud rechazada')

    await marta.goto('/admin/solicitudes?vista=decididas')
    await expect(rowOf(marta, 'Rol de administrador para Ana Pérez')).toContainText('Ana no trabaja aquí')
  })

  await test.step('the payee finds the notification about the transfer', async () => {
    await luisReads.goto('/perfil')
    const list = luisReads.getByRole('list', { name: 'Lo que te avisamos' })
    await expect(list).toContainText('Recibiste una transferencia', { timeout: reportMs })
  })
})
