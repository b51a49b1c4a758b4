import { Suspense, use, useEffect, useLayoutEffect, type SyntheticEvent } from 'react'
import { isAdministrator, useSession, useUser } from '#session/session.ts'
import { useAddress, useGo } from '#ui/address/address.tsx'
import { Spinner } from '#ui/spinner.tsx'
import { ConnectionLine } from './connection-line.tsx'
import { appCopy } from './copy.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { BottomBar, TopBar } from './navigation.tsx'
import { pagePathOf, pages, preloadPage, type PagePath } from './pages.ts'

export function Layout() {
  const user = useUser()
  const { pathname } = useAddress()
  useScrollToTop()
  return (
    <div
      className="min-h-svh pb-(--bottom-bar-height) lg:pb-0"
      onPointerOver={fetchLinked}
      onFocus={fetchLinked}
    >
      <a
        href="#contenido"
        className="fixed top-2 left-2 z-50 -translate-y-20 rounded-md bg-primary px-4 py-3 text-sm font-semibold text-on-primary focus:translate-y-0"
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
        {/* Around the boundary that each page has of its own, so that the page that is left stays meanwhile. */}
        <Suspense fallback={<PageSpinner />}>
          <ErrorBoundary key={pathname}>
            <PageRoutes />
          </ErrorBoundary>
        </Suspense>
      </main>
      <BottomBar />
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

/** Starts to fetch the page of a link that is about to be followed: the pointer or the focus is on it. */
function fetchLinked({ target }: SyntheticEvent): void {
  const link = target instanceof Element ? target.closest<HTMLAnchorElement>('a[href^="/"]') : null
  if (link !== null) preloadPage(link.pathname)
}

/** A new page begins at its top; going back leaves the browser to restore the place. */
function useScrollToTop(): void {
  const { pathname, isHistoryStep } = useAddress()
  useEffect(() => {
    if (!isHistoryStep) window.scrollTo(0, 0)
  }, [pathname, isHistoryStep])
}

/** The page that was opened comes first: the others are fetched when it has had this long. */
const aheadDelayMs = 2500

/**
 * The pages of a signed-in user. `/admin` and its children exist for administrators only; every other path leads to the
 * dashboard.
 */
function PageRoutes() {
  const isAdmin = isAdministrator(useUser())
  useEffect(() => {
    const timer = window.setTimeout(() => pathsOf(isAdmin).forEach(preloadPage), aheadDelayMs)
    return () => window.clearTimeout(timer)
  }, [isAdmin])
  const go = useGo()
  const path = pagePathOf(useAddress().pathname)
  const isThere = path !== null && pathsOf(isAdmin).includes(path)
  // The role may have been given since the session was stored: the server says so in a moment.
  const { isCheckingUser } = useSession()
  const mustWait = !isThere && path !== null && isCheckingUser
  useLayoutEffect(() => {
    if (!isThere && !mustWait) go('/dashboard', { replace: true })
  }, [isThere, mustWait, go])
  if (mustWait) return <PageSpinner />
  return isThere && <Page key={path} path={path} />
}

/** While its code is fetched the page that is left stays, and then the spinner comes; React would keep one for 300 ms. */
function Page({ path }: { path: PagePath }) {
  const { isLoaded, loadOrLate, Chunk } = pages[path]
  if (!isLoaded()) use(loadOrLate())
  return (
    <Suspense fallback={<PageSpinner />}>
      <Chunk />
    </Suspense>
  )
}

function pathsOf(isAdmin: boolean): PagePath[] {
  return (Object.keys(pages) as PagePath[]).filter((path) => !path.startsWith('/admin') || isAdmin)
}
