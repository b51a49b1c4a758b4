/** The pages behind the login, by path. */
import { hasFeature, hasRequestQueue } from '#api/configuration.ts'
import { lazyComponent } from '#ui/lazy/lazy.ts'

export const pages = {
  '/dashboard': lazyComponent(() => import('#dashboard/dashboard-page.tsx'), 'DashboardPage'),
  '/transacciones': lazyComponent(() => import('#money/history/transactions-page.tsx'), 'TransactionsPage'),
  '/transacciones/importar': lazyComponent(() => import('#uploads/import/import-page.tsx'), 'ImportPage'),
  '/transferencias': lazyComponent(() => import('#transfers/transfers-page.tsx'), 'TransfersPage'),
  '/resumen': lazyComponent(() => import('#planning/overview/overview-page.tsx'), 'OverviewPage'),
  '/presupuesto': lazyComponent(() => import('#planning/budget/budget-page.tsx'), 'BudgetPage'),
  '/extractos': lazyComponent(() => import('#papers/statements-page.tsx'), 'StatementsPage'),
  '/recurrentes': lazyComponent(() => import('#planning/recurring/recurring-page.tsx'), 'RecurringPage'),
  '/categorias': lazyComponent(() => import('#categories/categories-page.tsx'), 'CategoriesPage'),
  '/cuentas': lazyComponent(() => import('#placeholders/accounts-page.tsx'), 'AccountsPage'),
  '/documentos': lazyComponent(() => import('#placeholders/documents-page.tsx'), 'DocumentsPage'),
  '/soporte': lazyComponent(() => import('#placeholders/support-page.tsx'), 'SupportPage'),
  '/perfil': lazyComponent(() => import('#profile/profile-page.tsx'), 'ProfilePage'),
  '/admin': lazyComponent(() => import('#staff/admin-page.tsx'), 'AdminPage'),
  '/admin/abonos': lazyComponent(() => import('#staff/deposits/deposits-page.tsx'), 'DepositsPage'),
  '/admin/altas': lazyComponent(() => import('#staff/onboarding/onboarding-page.tsx'), 'OnboardingPage'),
  '/admin/solicitudes': lazyComponent(
    () => import('#staff/orders/request-queue-page.tsx'),
    'RequestQueuePage',
  ),
  '/admin/estado': lazyComponent(() => import('#staff/status/status-page.tsx'), 'StatusPage'),
  '/admin/clientes/:id': lazyComponent(() => import('#staff/customers/customer-page.tsx'), 'CustomerPage'),
}

export type PagePath = keyof typeof pages

/** Functions that return whether this bank has the page at a path. Every bank has all other pages. */
const isEnabled: Readonly<Record<string, (() => boolean) | undefined>> = {
  '/transferencias': () => hasFeature('transferencias'),
  '/admin/solicitudes': hasRequestQueue,
}

/** Returns the paths of all pages that exist in this bank. */
export function pagePaths(): PagePath[] {
  return Object.keys(pages).filter(isPagePath)
}

/** Prefetches the code of the page at this path. */
export function preloadPage(pathname: string): void {
  void openedPage(pathname).preload()
}

const customerPath = /^\/admin\/clientes\/[^/]+\/*$/i

/** Returns the key of the page at a path, or `null` for an unknown path. Ignores case and trailing slashes. */
export function pagePathOf(pathname: string): PagePath | null {
  if (customerPath.test(pathname)) return '/admin/clientes/:id'
  const path = pathname.toLowerCase().replace(/\/+$/, '')
  return isPagePath(path) ? path : null
}

/** Returns the page that a path opens. An unknown path opens the dashboard. */
export function openedPage(pathname: string): (typeof pages)[PagePath] {
  return pages[pagePathOf(pathname) ?? '/dashboard']
}

function isPagePath(pathname: string): pathname is PagePath {
  return Object.hasOwn(pages, pathname) && isEnabled[pathname]?.() !== false
}
