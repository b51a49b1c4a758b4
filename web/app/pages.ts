/** The pages behind the login, by path. */
import { chunk, forgetFailedChunks } from './chunk.ts'

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

/** Starts to fetch the page of this path. */
export function preloadPage(pathname: string): void {
  // After a failure, opening the page fetches it again.
  openedPage(pathname).load().catch(forgetFailedChunks)
}

const customerPath = /^\/admin\/clientes\/[^/]+\/*$/i

/** Returns the page of a path, or `null`. Ignores case and slashes at the end. */
export function pagePathOf(pathname: string): PagePath | null {
  if (customerPath.test(pathname)) return '/admin/clientes/:id'
  const path = pathname.toLowerCase().replace(/\/+$/, '')
  return isPagePath(path) ? path : null
}

/** Returns the page that a path opens: the dashboard for an unknown path. */
export function openedPage(pathname: string): (typeof pages)[PagePath] {
  return pages[pagePathOf(pathname) ?? '/dashboard']
}

function isPagePath(pathname: string): pathname is PagePath {
  return Object.hasOwn(pages, pathname)
}
