import { chunk, forgetFailedChunks } from './chunk.tsx'

/** URL → page: the index of the product. Each page is fetched when it is first opened, or before. */
export const pages = {
  '/dashboard': chunk(async () => (await import('#features/dashboard/dashboard-page.tsx')).DashboardPage),
  '/transacciones': chunk(
    async () => (await import('#features/transactions/transactions-page.tsx')).TransactionsPage,
  ),
  '/cuentas': chunk(async () => (await import('#features/accounts/accounts-page.tsx')).AccountsPage),
  '/documentos': chunk(async () => (await import('#features/documents/documents-page.tsx')).DocumentsPage),
  '/soporte': chunk(async () => (await import('#features/support/support-page.tsx')).SupportPage),
  '/perfil': chunk(async () => (await import('#features/profile/profile-page.tsx')).ProfilePage),
  '/admin': chunk(async () => (await import('#features/admin/admin-page.tsx')).AdminPage),
}

export type PagePath = keyof typeof pages

/** Starts to fetch the page of that path, or the dashboard's, to which every other path redirects. */
export function preloadPage(pathname: string): void {
  // This was only ahead of its time: whoever opens the page asks again.
  pages[isPagePath(pathname) ? pathname : '/dashboard'].load().catch(forgetFailedChunks)
}

function isPagePath(pathname: string): pathname is PagePath {
  return Object.hasOwn(pages, pathname)
}
