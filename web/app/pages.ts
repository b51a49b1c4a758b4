import type { ComponentType } from 'react'

/** URL → page: the index of the product. Each page is fetched when it is first opened. */
export const pages = {
  '/dashboard': async () => (await import('#features/dashboard/dashboard-page.tsx')).DashboardPage,
  '/transacciones': async () =>
    (await import('#features/transactions/transactions-page.tsx')).TransactionsPage,
  '/cuentas': async () => (await import('#features/accounts/accounts-page.tsx')).AccountsPage,
  '/documentos': async () => (await import('#features/documents/documents-page.tsx')).DocumentsPage,
  '/soporte': async () => (await import('#features/support/support-page.tsx')).SupportPage,
  '/perfil': async () => (await import('#features/profile/profile-page.tsx')).ProfilePage,
  '/admin': async () => (await import('#features/admin/admin-page.tsx')).AdminPage,
} satisfies Record<string, () => Promise<ComponentType>>

export type PagePath = keyof typeof pages

/** The page of that path, or the dashboard's, to which every other path redirects. */
export async function loadPage(pathname: string): Promise<ComponentType> {
  return isPagePath(pathname) ? pages[pathname]() : pages['/dashboard']()
}

function isPagePath(pathname: string): pathname is PagePath {
  return Object.hasOwn(pages, pathname)
}
