/**
 * What axe can check of WCAG 2.2 AA, on every route, dialog and state, in both schemes and three widths; and that nothing
 * scrolls sideways: at 320 px, with text at twice its size, with text spaced out.
 */
import { type Page, expect, test } from '@playwright/test'
import { type State, everyRule, check, violations } from './accessibility-rules.ts'
import {
  type Person,
  administratorClient,
  newPerson,
  recordByBank,
  recordExpenses,
  storedSession,
} from './accounts.ts'
import { watchForErrors } from './screens.ts'

const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
}
const pressInDialog = (opener: string, button: string) => async (page: Page) => {
  await press(opener)(page)
  await page.getByRole('dialog').getByRole('button', { name: button }).click()
}

/** The explanation of the balance, with its verdict. */
async function verifyBalance(page: Page): Promise<void> {
  await press('¿Por qué este saldo?')(page)
  await press('Verificar')(page)
  await expect(page.getByText(/^Todo coincide/)).toBeVisible()
}

const publicStates: readonly State[] = [
  { name: 'the login', path: '/login' },
  {
    name: 'the sign-up with what is missing',
    path: '/login',
    open: async (page) => {
      await press('Regístrate')(page)
      await press('Registrarse')(page)
    },
  },
  { name: 'the forgotten password', path: '/login', open: press('¿Olvidaste tu contraseña?') },
]

const customerStates: readonly State[] = [
  { name: 'the dashboard', path: '/dashboard' },
  { name: 'an expense with what is missing', path: '/dashboard', open: press('Añadir gasto') },
  { name: 'hidden amounts', path: '/dashboard', open: press('Ocultar cifras') },
  { name: 'why this balance', path: '/dashboard', open: verifyBalance },
  { name: 'the budget', path: '/dashboard', open: pressInDialog('Editar presupuesto mensual', 'Guardar') },
  { name: 'the history', path: '/transacciones' },
  {
    name: 'an empty search',
    path: '/transacciones',
    open: async (page) => page.getByRole('searchbox').fill('nada de esto existe'),
  },
  { name: 'the accounts', path: '/cuentas' },
  {
    name: 'a new card with what is missing',
    path: '/cuentas',
    open: pressInDialog('Añadir tarjeta de crédito', 'Añadir'),
  },
  { name: 'the documents and a toast', path: '/documentos', open: press('Subir documento') },
  {
    name: 'the support and an answer',
    path: '/soporte',
    open: async (page) => page.getByText('¿Cómo añado una transacción?').click(),
  },
  { name: 'the profile', path: '/perfil' },
  { name: 'the name', path: '/perfil', open: press('Editar Perfil') },
  {
    name: 'a second step with what is missing',
    path: '/perfil',
    open: async (page) => {
      await press('Activar')(page)
      await page.getByRole('dialog').getByRole('button', { name: 'Activar' }).click()
    },
  },
  {
    name: 'the end of an account with what is missing',
    path: '/perfil',
    open: pressInDialog('Eliminar mi cuenta', 'Eliminar para siempre'),
  },
]

/** The panel with one user listed: the others of this test run say the same again. */
const atOneUser = (open?: (page: Page) => Promise<void>) => async (page: Page) => {
  await page.getByRole('searchbox').fill('admin@banco.example')
  await expect(page.getByRole('row')).toHaveCount(2)
  await open?.(page)
}

const administratorStates: readonly State[] = [
  { name: 'the users', path: '/admin', open: atOneUser() },
  {
    name: 'a new user with what is missing',
    path: '/admin',
    open: atOneUser(pressInDialog('Crear usuario', 'Crear usuario')),
  },
  {
    name: 'the audit',
    path: '/admin?vista=registro',
    open: async (page) => expect(page.getByRole('row').nth(1)).toBeVisible(),
  },
  { name: 'a role', path: '/admin', open: atOneUser(press(/^Editar rol de /)) },
  { name: 'a transaction', path: '/admin', open: atOneUser(press(/^Nueva transacción para /)) },
]

test.describe('by rule', { tag: '@nightly' }, () => {
  test.use({ reducedMotion: 'reduce' })

  for (const state of publicStates) {
    test(`${state.name} breaks no rule and stays within the screen`, async ({ page }) => {
      watchForErrors(page)
      await check(page, state)
    })
  }
})

const customerTest = signedInAs({ fullName: 'Laura Restrepo Gómez', role: 'user' })
const administratorTest = signedInAs({ fullName: 'Marta Ríos', role: 'admin' })

for (const [stateTest, states] of [
  [customerTest, customerStates],
  [administratorTest, administratorStates],
] as const) {
  stateTest.describe('by rule', { tag: '@nightly' }, () => {
    stateTest.use({ reducedMotion: 'reduce' })

    for (const state of states) {
      stateTest(`${state.name} breaks no rule and stays within the screen`, async ({ page }) => {
        watchForErrors(page)
        await check(page, state)
      })
    }
  })
}

/** Tests that change nothing share one account per worker, with long texts and great amounts. */
function signedInAs(who: { fullName: string; role: 'user' | 'admin' }) {
  return test.extend<object, { person: Person }>({
    person: [
      // oxlint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs from its first parameter
      async ({}, use) => {
        const administrator = await administratorClient()
        const person = await newPerson(administrator, who)
        await recordExpenses(person, [
          {
            description: 'Un mercado con una descripción bastante larga para un celular',
            amount: 1234567.89,
            category: 'Comida',
          },
          { description: 'Veterinaria', amount: 40, category: 'Mascotas y otros animales de la casa' },
        ])
        await recordByBank(administrator, person, {
          type: 'deposit',
          description: 'Nómina',
          amount: 999_999_999.99,
          category: 'Deposito',
        })
        await use(person)
      },
      { scope: 'worker' },
    ],
    storageState: async ({ person }, use) => {
      await use(storedSession(person))
    },
  })
}

/** In the gate each page once, in one width and scheme; by night every state. */
administratorTest('each page breaks no rule of axe', async ({ page }) => {
  for (const path of [
    '/dashboard',
    '/transacciones',
    '/cuentas',
    '/documentos',
    '/soporte',
    '/perfil',
    '/admin',
  ]) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(await violations(page, everyRule), path).toEqual([])
  }
})
