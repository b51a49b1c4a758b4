/**
 * Checks WCAG 2.2 AA with axe on every route, dialog and state, in both colour schemes and at three widths. Also checks
 * that no page scrolls sideways at 320 px, with text at twice its normal size, or with wider text spacing.
 */
import { type Page, expect } from '@playwright/test'
import { showAlarms } from './held-requests.ts'
import { type State, check, everyRule, violations } from './accessibility-rules.ts'
import {
  type Person,
  addApp,
  newPerson,
  recordByBank,
  recordExpenses,
  storedSession,
  test,
} from './people.ts'
import { newEmail, population } from '#testing/population.ts'
import {
  askForRecovery,
  customerRoutes,
  pageHeading,
  password,
  sendCredentials,
  staffRoutes,
} from './screens.ts'
import { transferTest } from './transfer-bank.ts'

const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).first().click()
}
const pressInDialog = (opener: string, button: string) => async (page: Page) => {
  await press(opener)(page)
  await page.getByRole('dialog').getByRole('button', { name: button }).click()
}

/** Opens the explanation of the balance and starts the verification. */
async function verifyBalance(page: Page): Promise<void> {
  await press('¿Por qué este saldo?')(page)
  await press('Verificar')(page)
  await expect(page.getByText(/^Todo coincide/)).toBeVisible()
}

const publicStates: readonly State[] = [
  { name: 'the login', path: '/login' },
  {
    name: 'the sign-up with empty fields',
    path: '/login',
    open: async (page) => {
      await press('Regístrate')(page)
      await press('Registrarse')(page)
    },
  },
  {
    name: 'a sign-in that was refused',
    path: '/login',
    open: async (page) => {
      await sendCredentials(page, { email: newEmail(), password: 'otra clave', button: 'Iniciar Sesión' })
      await expect(page.getByText('El email o la contraseña no son correctos.').first()).toBeVisible()
    },
  },
  {
    name: 'a sign-up that waits for its mail',
    path: '/login',
    open: async (page) => {
      await press('Regístrate')(page)
      await sendCredentials(page, { email: newEmail(), password, button: 'Registrarse' })
      await expect(page.getByRole('button', { name: 'Reenviar correo' })).toBeVisible()
    },
  },
  { name: 'the forgotten password', path: '/login', open: press('¿Olvidaste tu contraseña?') },
  { name: 'the public state', path: '/estado' },
]

const customerStates: readonly State[] = [
  {
    name: 'the dashboard with the first steps',
    path: '/dashboard',
    open: async (page) => expect(page.getByRole('heading', { name: 'Empieza aquí' })).toBeVisible(),
  },
  { name: 'an expense with empty fields', path: '/dashboard', open: press('Añadir gasto') },
  {
    name: 'an expense with its formatted amount and a proposed category',
    path: '/dashboard',
    open: async (page) => {
      await page.getByLabel('Monto').fill('1.900')
      await page.getByLabel('Descripción').fill('Mercado de la plaza')
      await expect(page.getByLabel('Categoría propuesta')).toHaveValue('Comida')
    },
  },
  { name: 'hidden amounts', path: '/dashboard', open: press('Ocultar cifras') },
  { name: 'why this balance', path: '/dashboard', open: verifyBalance },
  { name: 'the budget', path: '/dashboard', open: pressInDialog('Editar presupuesto mensual', 'Guardar') },
  { name: 'the history', path: '/transacciones' },
  {
    name: 'the categories of a transaction',
    path: '/transacciones',
    open: async (page) => {
      await press(/: clasificar /)(page)
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  {
    name: 'the form for a transaction',
    path: '/transacciones',
    open: async (page) => {
      await press(/, menos /)(page)
      await press('Editar')(page)
    },
  },
  {
    name: 'an empty search',
    path: '/transacciones',
    open: async (page) => page.getByRole('searchbox').fill('nada de esto existe'),
  },
  { name: 'the overview', path: '/resumen' },
  {
    name: 'an import before it is recorded',
    path: '/transacciones/importar',
    open: async (page) =>
      page.getByLabel('Elige un archivo').setInputFiles('web/uploads/import/fixtures/bancolombia.csv'),
  },
  { name: 'the categories', path: '/categorias' },
  {
    name: 'a rule and the transactions that it would change',
    path: '/categorias',
    open: async (page) => {
      await press(/^Editar mercado/)(page)
      await expect(page.getByRole('button', { name: 'Aplicar también a 1 movimiento' })).toBeVisible()
    },
  },
  {
    name: 'a rule with empty fields',
    path: '/categorias',
    open: pressInDialog('Añadir regla', 'Guardar'),
  },
  { name: 'limits by category', path: '/presupuesto' },
  {
    name: 'a limit that carries over',
    path: '/presupuesto',
    open: press(/^Cambiar el límite de Mascotas/),
  },
  {
    name: 'a limit with empty fields',
    path: '/presupuesto',
    open: pressInDialog('Añadir límite a otra categoría', 'Guardar'),
  },
  { name: 'the accounts', path: '/cuentas' },
  {
    name: 'a new card with empty fields',
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
    name: 'the question before a typed name is discarded',
    path: '/perfil',
    async open(page) {
      await press('Editar Perfil')(page)
      await page.getByLabel('Nombre').fill('Inés')
      await page.keyboard.press('Escape')
      await expect(page.getByRole('alertdialog')).toBeVisible()
    },
  },
  {
    name: 'a password change with empty fields',
    path: '/perfil',
    open: pressInDialog('Cambiar mi contraseña', 'Guardar contraseña'),
  },
  {
    name: 'a second step with empty fields',
    path: '/perfil',
    open: pressInDialog('Añadir aplicación', 'Activar'),
  },
  {
    name: 'the deletion of an account with empty fields',
    path: '/perfil',
    open: pressInDialog('Eliminar mi cuenta', 'Eliminar para siempre'),
  },
]

/** Filters the panel to one user, because other users' rows would only repeat the same violations. */
const atOneUser = (open?: (page: Page) => Promise<void>) => async (page: Page) => {
  await page.getByRole('searchbox').fill('admin@banco.example')
  await expect(page.getByRole('row')).toHaveCount(2)
  await open?.(page)
}

const administratorStates: readonly State[] = [
  { name: 'the users', path: '/admin', open: atOneUser() },
  {
    name: 'a new user with empty fields',
    path: '/admin',
    open: atOneUser(pressInDialog('Crear usuario', 'Crear usuario')),
  },
  {
    name: 'the audit',
    path: '/admin?vista=registro',
    open: async (page) => expect(page.getByRole('row').nth(1)).toBeVisible(),
  },
  {
    name: 'a role',
    path: '/admin',
    open: atOneUser(async (page) => {
      await press(/^Más acciones de /)(page)
      await press(/^Editar rol de /)(page)
    }),
  },
  { name: 'the menu of a user', path: '/admin', open: atOneUser(press(/^Más acciones de /)) },
  {
    name: 'the search of the bank',
    path: '/admin',
    open: async (page) => {
      await press('Buscar en el banco')(page)
      await page.getByRole('dialog').getByRole('searchbox').fill('admin@banco.example')
      await expect(page.getByRole('dialog').getByRole('link')).toHaveCount(1)
    },
  },
  { name: 'what waits for staff', path: '/admin?vista=hoy' },
  { name: 'the sum that the bank owes', path: '/admin?vista=deuda' },
  { name: 'a transaction', path: '/admin', open: atOneUser(press(/^Nueva transacción para /)) },
  { name: 'the state of the bank with alarms', path: '/admin/estado', open: showAlarms },
]

const transferStates: readonly State[] = [
  { name: 'the transfers', path: '/transferencias' },
  {
    name: 'a transfer with empty fields',
    path: '/transferencias',
    open: async (page) => {
      await press('Nueva transferencia')(page)
      await page.getByLabel('Para').selectOption('Nuevo beneficiario…')
      await page.getByRole('dialog').getByRole('button', { name: 'Continuar' }).click()
    },
  },
  {
    name: 'the summary of a transfer',
    path: '/transferencias',
    open: async (page) => {
      await press('Nueva transferencia')(page)
      await page.getByLabel('Para').selectOption({ index: 1 })
      await page.getByLabel('Monto').fill('1234.56')
      await page.getByLabel('Concepto').fill('Arriendo con una descripción bastante larga para un celular')
      await page.getByRole('dialog').getByRole('button', { name: 'Continuar' }).click()
      await expect(page.getByRole('dialog', { name: 'Revisa la transferencia' })).toBeVisible()
    },
  },
  {
    name: 'the details of a transfer',
    path: '/transferencias',
    open: async (page) => {
      await page.getByRole('list', { name: 'Anteriores' }).getByRole('button').click()
      await expect(page.getByRole('dialog')).toBeVisible()
    },
  },
  {
    name: 'a new beneficiary with empty fields',
    path: '/transferencias',
    open: pressInDialog('Añadir beneficiario', 'Añadir y confirmar'),
  },
  {
    name: 'a limit above the limit of the bank',
    path: '/transferencias',
    open: async (page) => {
      await press('Cambiar tus límites')(page)
      await page.getByLabel('Por día').fill('999999999')
    },
  },
]

const customerTest = signedInAs(population.customerOfThreeNames)
const administratorTest = signedInAs(population.administrator)

for (const [stateTest, states] of [
  [test, publicStates],
  [customerTest, customerStates],
  [administratorTest, administratorStates],
] as const) {
  stateTest.describe('nightly', { tag: '@nightly' }, () => {
    stateTest.use({ reducedMotion: 'reduce' })

    for (const state of states) {
      stateTest(`${state.name} breaks no rule of axe and does not overflow`, ({ page }) => check(page, state))
    }
  })
}

transferTest.describe('nightly', { tag: '@nightly' }, () => {
  for (const state of transferStates) {
    transferTest(`${state.name} breaks no rule of axe and does not overflow`, async ({ bank, openAs }) => {
      const payer = await bank.newPerson(population.customer, 999_999_999.99)
      const payee = await bank.newPerson(population.customerOfThreeNames)
      const beneficiary_id = await bank.confirmBeneficiary(payer, payee)
      for (const amount of [1, 1000]) {
        const description = 'Mercado con una descripción bastante larga para un celular'
        const asked = { id: crypto.randomUUID(), beneficiary_id, amount, description }
        await payer.client.rpc('request_transfer', asked).throwOnError()
      }
      const page = await openAs(payer)
      await page.emulateMedia({ reducedMotion: 'reduce' })
      await check(page, state)
    })
  }
})

test.describe('every screen of the sign-in passes every rule', { tag: '@nightly' }, () => {
  test.use({ reducedMotion: 'reduce' })

  test('an empty form for a new password passes every rule', async ({ page, customer }) => {
    const path = await askForRecovery(page, customer.email)
    await check(page, { name: 'the new password', path, open: press('Guardar contraseña') })
  })

  test('the list of new recovery codes passes every rule', async ({ customer, openAs }) => {
    await addApp(customer)
    await check(await openAs(customer), {
      name: 'new recovery codes',
      path: '/perfil',
      open: async (page) => {
        await press('Nuevos códigos de recuperación')(page)
        await expect(page.getByRole('dialog').getByRole('listitem')).toHaveCount(10)
      },
    })
  })

  test('the form for the code of the second factor passes every rule', async ({ page, customer }) => {
    await addApp(customer)
    await page.goto('/login')
    await sendCredentials(page, { ...customer, button: 'Iniciar Sesión' })
    await expect(page.getByRole('heading', { name: 'Escribe tu código' })).toBeVisible()
    await check(page, { name: 'the form for a code', path: '/', open: press('Continuar') })
  })

  test('the notice about a second factor and the confirmation before switching accounts pass every rule', async ({
    customer,
    stranger,
    openAs,
  }) => {
    const page = await openAs(customer)
    const { access_token, refresh_token } = stranger.session
    const fragment = new URLSearchParams({ access_token, refresh_token, token_type: 'bearer' })
    for (const [path, heading] of [
      ['/enlace#token_hash=abc&type=second_factor', '¿No fuiste tú?'],
      [`/perfil#${fragment.toString()}`, /^¿Entrar como/],
    ] as const) {
      const open = () => page.getByRole('heading', { name: heading }).waitFor()
      await check(page, { name: String(heading), path, open })
    }
  })

  test('the password form before a change of second factors passes every rule', async ({
    customer,
    openAs,
  }) => {
    const page = await openAs(customer)
    await page.route('**/auth/v1/factors', (route) =>
      route.fulfill({
        status: 400,
        headers: { 'x-supabase-api-version': '2024-01-01' },
        json: { code: 'reauthentication_needed', message: 'Show the current password first.' },
      }),
    )
    await check(page, {
      name: 'the form for the password',
      path: '/perfil',
      open: async () => {
        await press('Añadir aplicación')(page)
        await page.getByRole('dialog', { name: 'Confirma que eres tú' }).waitFor()
      },
    })
  })
})

/**
 * Returns a test whose account is shared by all tests of a worker. The account contains long texts and large amounts.
 */
function signedInAs(who: { fullName: string; role: 'user' | 'admin' }) {
  return test.extend<object, { person: Person }>({
    person: [
      async ({ administrator }, use) => {
        const person = await newPerson(administrator, who)
        await recordExpenses(person, [
          {
            description: 'Mercado con una descripción bastante larga para un celular',
            amount: 1234567.89,
            category: 'Comida',
          },
          { description: 'Veterinaria', amount: 40, category: 'Mascotas y otros animales de la casa' },
        ])
        await keepFiling(person, 'Mascotas y otros animales de la casa')
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
    storageState: async ({ person }, use) => use(storedSession(person)),
  })
}

/**
 * Adds a category, a rule that was applied and undone, another rule, an exceeded limit, and a limit that carries over
 * to the next month.
 */
async function keepFiling({ client }: Person, category: string): Promise<void> {
  const id = crypto.randomUUID()
  const answers = [
    await client.from('categories').insert({ name: category }),
    await client.from('category_rules').insert({ id, contains: 'mercado con una descripción', category }),
    await client.rpc('apply_category_rule', { id }),
    await client.rpc('undo_category_rule', { id }),
    await client.from('category_rules').insert({ contains: 'Veterinaria', category: 'Otro' }),
    await client.rpc('set_category_budget', { category: 'Comida', monthly_limit: 1000 }),
    await client.rpc('set_category_budget', { category, monthly_limit: 999_999_999.99, carries_over: true }),
  ]
  const failed = answers.find(({ error }) => error !== null)
  if (failed !== undefined) throw new Error('A category was not kept.', { cause: failed.error })
}

/**
 * The normal run checks each page at one width and in one colour scheme. The nightly run checks every state of every
 * page.
 */
administratorTest('each page breaks no rule of axe', async ({ page, customer }) => {
  for (const path of [
    '/dashboard',
    ...customerRoutes,
    ...staffRoutes,
    '/admin?vista=hoy',
    `/admin/clientes/${customer.id}`,
    `/admin/clientes/${customer.id}?vista=cuenta`,
  ]) {
    await page.goto(path)
    await expect(pageHeading(page)).toBeVisible()
    await page.waitForLoadState('networkidle')
    expect(await violations(page, everyRule), path).toEqual([])
  }
})
