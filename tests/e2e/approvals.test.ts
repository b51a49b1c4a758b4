/** An act above the bank's sum waits for another administrator. The specification does not mention this. */
import { createClient } from '@supabase/supabase-js'
import { expect, type Page } from '@playwright/test'
import { signIn } from '#testing/people.ts'
import { type Described, newEmail, population } from '#testing/population.ts'
import { startServer, testEnvironment } from '#testing/server.ts'
import { everyRule, violations } from './accessibility-rules.ts'
import { type Person, test as base } from './people.ts'
import { password, toast } from './screens.ts'

type ApprovalBank = { url: string; newPerson: (described: Described) => Promise<Person> }

/** A test in a bank that requires a second administrator above 1,000. Its people are made by `bank.newPerson`. */
const test = base.extend<object, { bank: ApprovalBank }>({
  bank: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads a fixture's dependencies from its first parameter
    async ({}, use) => {
      const server = await startServer({ environment: { ...testEnvironment, STAFF_APPROVAL_ABOVE: '1000' } })
      // An administrator's session cannot make another administrator in this bank.
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
const rowOf = (page: Page, subject: string) => main(page).getByRole('row').filter({ hasText: subject })
const balanceOf = async ({ client }: Person) => (await client.from('budgets').select('balance').single()).data

test('a large deposit and a promotion wait until another administrator decides them', async ({
  bank,
  openAs,
}) => {
  const ana = await bank.newPerson(population.customer)
  const marta = await openAs(await bank.newPerson(population.administrator))
  const ines = await openAs(await bank.newPerson(population.secondAdministrator))

  await test.step('a clerk registers a deposit above the sum and reads that it waits', async () => {
    await marta.goto('/admin')
    await marta.getByRole('searchbox').fill(ana.email)
    await marta.getByRole('button', { name: 'Nueva transacción para Ana Pérez' }).click()
    await marta.getByLabel('Monto (COP)').fill('5000')
    await marta.getByLabel('Descripción').fill('Premio')
    await marta.getByRole('button', { name: 'Depositar $5,000.00 a Ana Pérez' }).click()
    await expect(toast(marta)).toContainText('Espera a otro administrador')
    expect(await balanceOf(ana)).toEqual({ balance: 0 })

    await toast(marta).getByRole('button', { name: 'Ver' }).click()
    await expect(rowOf(marta, 'Depósito a Ana Pérez')).toContainText('Es tuya: la decide otra persona.')
    await expect(marta.getByRole('button', { name: /^Aprobar el depósito a Ana Pérez/ })).toHaveCount(0)
    expect(await violations(marta, everyRule)).toEqual([])
  })

  await test.step('another administrator approves the deposit', async () => {
    await ines.goto('/admin')
    await ines.getByRole('link', { name: 'Solicitudes' }).click()
    await expect(rowOf(ines, 'Depósito a Ana Pérez')).toContainText('Lo pidió Marta Ríos')
    await ines.getByRole('button', { name: /^Aprobar el depósito a Ana Pérez/ }).click()
    await ines.getByRole('dialog').getByRole('button', { name: 'Aprobar · $5,000.00' }).click()
    await expect(toast(ines)).toContainText('Solicitud aprobada')
    expect(await balanceOf(ana)).toEqual({ balance: 5000 })

    await ines.goto('/admin?vista=registro')
    await expect(rowOf(ines, 'Registro de transacción')).toContainText('Marta Ríos, aprobado por Inés Mora')
  })

  await test.step('a promotion waits too, and the clerk reads why it was declined', async () => {
    await marta.goto('/admin')
    await marta.getByRole('searchbox').fill(ana.email)
    await marta.getByRole('button', { name: 'Más acciones de Ana Pérez' }).click()
    await marta.getByRole('button', { name: 'Editar rol de Ana Pérez' }).click()
    await marta.getByRole('dialog').getByLabel('Rol').selectOption('admin')
    await marta.getByRole('dialog').getByRole('button', { name: 'Guardar' }).click()
    await expect(toast(marta)).toContainText('Espera a otro administrador')

    await ines.goto('/admin/solicitudes')
    await ines.getByRole('button', { name: /^Rechazar el rol de administrador para Ana Pérez/ }).click()
    await ines.getByRole('textbox', { name: 'Motivo' }).fill('Ana no trabaja aquí')
    await ines.getByRole('dialog').getByRole('button', { name: 'Rechazar' }).click()
    await expect(toast(ines)).toContainText('Solicitud rechazada')

    await marta.goto('/admin/solicitudes?vista=decididas')
    await expect(rowOf(marta, 'Rol de administrador para Ana Pérez')).toContainText('Ana no trabaja aquí')
    await expect(rowOf(marta, 'Depósito a Ana Pérez')).toContainText('La decidió Inés Mora')
  })
})
