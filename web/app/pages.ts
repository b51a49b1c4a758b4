import { createElement, use, type ComponentType, type ReactNode } from 'react'

const failed = new Set<() => void>()

/**
 * A part of the page that is fetched when it is first needed. One that is there already is drawn at once: React's own
 * `lazy` would show the spinner before it, and keep it for a third of a second.
 */
export function chunk<Props extends object>(fetchPart: () => Promise<ComponentType<Props>>) {
  let part: ComponentType<Props> | undefined
  let fetching: Promise<ComponentType<Props>> | undefined
  let near: Promise<unknown> | undefined
  const load = (): Promise<ComponentType<Props>> => {
    if (fetching !== undefined) return fetching
    fetching = fetchPart()
    fetching.then(
      (fetched) => {
        part = fetched
      },
      () => {
        failed.add(() => {
          fetching = undefined
          near = undefined
        })
      },
    )
    return fetching
  }
  function Chunk(props: Props): ReactNode {
    return createElement(part ?? use(load()), props)
  }
  /** Fulfilled when it is there, or when what is on the screen has stayed for it long enough. */
  const loadOrLate = (): Promise<unknown> => (near ??= Promise.race([load(), pause(patienceMs)]))
  return { load, loadOrLate, isLoaded: () => part !== undefined, Chunk }
}

/** Time that the open page stays while the next one is fetched; then a spinner shows. */
const patienceMs = 250

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}

/** Whether a part of the page did not come: then nothing in it is broken. */
export function hasFailedChunks(): boolean {
  return failed.size > 0
}

/** Lets failed chunks be fetched again; until then they stay failed, or a page without network would fetch for ever. */
export function forgetFailedChunks(): void {
  for (const forget of failed) forget()
  failed.clear()
}

export const pages = {
  '/dashboard': chunk(async () => (await import('#features/dashboard/dashboard-page.tsx')).DashboardPage),
  '/transacciones': chunk(
    async () => (await import('#features/transactions/transactions-page.tsx')).TransactionsPage,
  ),
  '/transacciones/importar': chunk(
    async () => (await import('#features/transactions/import/import-page.tsx')).ImportPage,
  ),
  '/resumen': chunk(async () => (await import('#features/overview/overview-page.tsx')).OverviewPage),
  '/presupuesto': chunk(async () => (await import('#features/budget/budget-page.tsx')).BudgetPage),
  '/extractos': chunk(async () => (await import('#features/statements/statements-page.tsx')).StatementsPage),
  '/recurrentes': chunk(async () => (await import('#features/recurring/recurring-page.tsx')).RecurringPage),
  '/categorias': chunk(async () => (await import('#features/categories/categories-page.tsx')).CategoriesPage),
  '/cuentas': chunk(async () => (await import('#features/accounts/accounts-page.tsx')).AccountsPage),
  '/documentos': chunk(async () => (await import('#features/documents/documents-page.tsx')).DocumentsPage),
  '/soporte': chunk(async () => (await import('#features/support/support-page.tsx')).SupportPage),
  '/perfil': chunk(async () => (await import('#features/profile/profile-page.tsx')).ProfilePage),
  '/admin': chunk(async () => (await import('#features/admin/admin-page.tsx')).AdminPage),
  '/admin/abonos': chunk(
    async () => (await import('#features/admin/deposits/deposits-page.tsx')).DepositsPage,
  ),
  '/admin/clientes/:id': chunk(
    async () => (await import('#features/admin/customers/customer-page.tsx')).CustomerPage,
  ),
}

export type PagePath = keyof typeof pages

/** Starts to fetch the page of that path. */
export function preloadPage(pathname: string): void {
  // Opening the page fetches it again.
  openedPage(pathname).load().catch(forgetFailedChunks)
}

const customerPath = /^\/admin\/clientes\/[^/]+\/*$/i

/** Returns the page of a path in any spelling, or `null`. */
export function pagePathOf(pathname: string): PagePath | null {
  if (customerPath.test(pathname)) return '/admin/clientes/:id'
  const path = pathname.toLowerCase().replace(/\/+$/, '')
  return isPagePath(path) ? path : null
}

/** Every path without a page of its own leads to the dashboard. */
function openedPage(pathname: string): (typeof pages)[PagePath] {
  return pages[pagePathOf(pathname) ?? '/dashboard']
}

function isPagePath(pathname: string): pathname is PagePath {
  return Object.hasOwn(pages, pathname)
}

/** The signed-in layout. Resolves together with the first page's chunk if that is almost loaded. */
export const signedIn = chunk(async () => {
  const { SignedIn } = await import('./signed-in.tsx')
  // Opening the page fetches it again.
  await openedPage(window.location.pathname).loadOrLate().catch(forgetFailedChunks)
  return SignedIn
})

/** The login, a piece of its own: a signed-in page does not load it. */
export const login = chunk(async () => (await import('#features/auth/login-page.tsx')).LoginPage)

export function preloadLogin(): void {
  login.load().catch(forgetFailedChunks)
}

/** Fetches what is shown with a session, before there is one. */
export function preloadSignedIn(pathname: string): void {
  signedIn.load().catch(forgetFailedChunks)
  preloadPage(pathname)
}
