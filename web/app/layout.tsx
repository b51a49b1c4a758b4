import { Suspense, use, useEffect, useLayoutEffect, useState, type SyntheticEvent } from 'react'
import { hasFeature } from '#api/configuration.ts'
import { lazyCode } from '#ui/lazy/lazy.ts'
import { useLazyCode } from '#ui/lazy/use-lazy-code.ts'
import { isAdministrator, useSession, useUser } from '#people/session/session.ts'
import { ExpenseKey } from '#money/expense/expense-button.tsx'
import { useAddress, useGo } from '#ui/address/address.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { ConnectionLine } from './connection-line.tsx'
import { appCopy } from './copy.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { BottomBar, TopBar } from './navigation.tsx'
import { pagePathOf, pagePaths, pages, preloadPage, type PagePath } from './pages.ts'

/** Delay before other code is loaded, so that the page that the user opened loads first. */
const aheadDelayMs = 2500

const newsReader = lazyCode(() => import('./news-reader.tsx'), 'NewsReader')
const staffSearchKey = lazyCode(() => import('#staff/search/search-key.tsx'), 'SearchKey')
const customerSearchKey = lazyCode(() => import('#app/search/customer-search-key.tsx'), 'CustomerSearchKey')

export function Layout() {
  const user = useUser()
  const { pathname } = useAddress()
  const isAdmin = isAdministrator(user)
  const { data: StaffSearchKey } = useLazyCode(staffSearchKey, isAdmin)
  const { data: CustomerSearchKey } = useLazyCode(customerSearchKey, !isAdmin)
  // The numbers come with the dashboard's sums. Their code and the other pages therefore load after the opened page.
  const [isSettled, setIsSettled] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setIsSettled(true), aheadDelayMs)
    return () => window.clearTimeout(timer)
  }, [])
  const { data: NewsReader } = useLazyCode(newsReader, isSettled && (isAdmin || hasFeature('notificaciones')))
  useScrollToTop()
  return (
    <div
      className="min-h-svh pb-(--bottom-bar-height) lg:pb-0"
      onPointerOver={fetchLinked}
      onFocus={fetchLinked}
    >
      <a
        href="#contenido"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-primary px-4 py-3 text-sm font-semibold text-on-primary focus:translate-y-0 print:hidden"
      >
        {appCopy.skipToContent}
      </a>
      <TopBar />
      <ConnectionLine userId={user.id} />
      <main
        id="contenido"
        tabIndex={-1}
        className="mx-auto w-full max-w-6xl px-3 py-4 sm:px-6 sm:py-10 lg:px-8 low:py-3"
      >
        {/* This `Suspense` encloses the boundary of each page, so that the previous page stays on screen while the next
            page loads. */}
        <Suspense fallback={<PageSpinner />}>
          <ErrorBoundary key={pathname}>
            <PageRoutes isSettled={isSettled} />
          </ErrorBoundary>
        </Suspense>
      </main>
      <BottomBar />
      <ExpenseKey userId={user.id} />
      {isAdmin ? StaffSearchKey && <StaffSearchKey /> : CustomerSearchKey && <CustomerSearchKey />}
      {NewsReader !== undefined && <NewsReader />}
    </div>
  )
}

function PageSpinner() {
  return (
    <div className="grid min-h-[60svh] place-items-center">
      <Spinner label={appCopy.loading} />
    </div>
  )
}

/** Prefetches a link's page when the link is pointed at or focused, before the user clicks it. */
function fetchLinked({ target }: SyntheticEvent): void {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null
  if (link !== null) preloadPage(link.pathname)
}

/**
 * Scrolls to the top when a new page opens. After a step back or forward, the browser itself restores the scroll
 * position.
 */
function useScrollToTop(): void {
  const { pathname, isHistoryStep } = useAddress()
  useEffect(() => {
    if (!isHistoryStep) window.scrollTo(0, 0)
  }, [pathname, isHistoryStep])
}

/**
 * Renders the page at the current path. `/admin` and the paths below it exist only for administrators. Every unknown
 * path redirects to the dashboard.
 */
function PageRoutes({ isSettled }: { isSettled: boolean }) {
  const isAdmin = isAdministrator(useUser())
  useEffect(() => {
    if (isSettled) pathsOf(isAdmin).forEach(preloadPage)
  }, [isSettled, isAdmin])
  const go = useGo()
  const path = pagePathOf(useAddress().pathname)
  const isThere = path !== null && pathsOf(isAdmin).includes(path)
  // Waits for the server's answer, because the user may have become an administrator after the session was stored.
  const { isCheckingUser } = useSession()
  const mustWait = !isThere && path !== null && isCheckingUser
  useLayoutEffect(() => {
    if (!isThere && !mustWait) go('/dashboard', { replace: true })
  }, [isThere, mustWait, go])
  if (mustWait) return <PageSpinner />
  return isThere && <Page key={path} path={path} />
}

/**
 * While the page's code loads, the previous page stays on screen. If loading takes long, a spinner replaces the
 * previous page. React's own fallback would stay on screen for at least 300 ms.
 */
function Page({ path }: { path: PagePath }) {
  const { state, settled, Component } = pages[path]
  if (state().code === undefined) use(settled())
  return (
    <Suspense fallback={<PageSpinner />}>
      <Component />
    </Suspense>
  )
}

function pathsOf(isAdmin: boolean): PagePath[] {
  return pagePaths().filter((path) => !path.startsWith('/admin') || isAdmin)
}
