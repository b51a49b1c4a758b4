import { Suspense, useEffect } from 'react'
import { Navigate, NavigationType, Route, Routes, useLocation, useNavigationType } from 'react-router'
import { useLiveLedger } from '#ledger/live-ledger.ts'
import { isAdministrator, useUser } from '#session/session.ts'
import { Spinner } from '#ui/spinner.tsx'
import { ConnectionLine } from './connection-line.tsx'
import { appCopy } from './copy.ts'
import { ErrorBoundary } from './error-boundary.tsx'
import { BottomBar, TopBar } from './navigation.tsx'
import { pages, preloadPage, type PagePath } from './pages.ts'

export function Layout() {
  const user = useUser()
  const { pathname } = useLocation()
  useLiveLedger(user.id)
  useScrollToTop(pathname)
  return (
    <div className="min-h-svh pb-(--bottom-bar-height) lg:pb-0">
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
        className="mx-auto w-full max-w-6xl px-3 py-4 sm:px-6 sm:py-10 lg:px-8"
      >
        <ErrorBoundary key={pathname}>
          <Suspense fallback={<PageSpinner />}>
            <PageRoutes />
          </Suspense>
        </ErrorBoundary>
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

/** A new page begins at its top; going back leaves the browser to restore the place. */
function useScrollToTop(pathname: string): void {
  const navigationType = useNavigationType()
  useEffect(() => {
    if (navigationType !== NavigationType.Pop) window.scrollTo(0, 0)
  }, [pathname, navigationType])
}

/** The page that was opened comes first: the others are fetched when it has had this long. */
const aheadDelayMs = 2500

/** The pages of a signed-in user; `/admin` exists for administrators only, every other path is the dashboard. */
function PageRoutes() {
  const isAdmin = isAdministrator(useUser())
  useEffect(() => {
    const timer = window.setTimeout(() => pathsOf(isAdmin).forEach(preloadPage), aheadDelayMs)
    return () => window.clearTimeout(timer)
  }, [isAdmin])
  return (
    <Routes>
      {pathsOf(isAdmin).map((path) => {
        const { Chunk } = pages[path]
        return <Route key={path} path={path} element={<Chunk />} />
      })}
      <Route path="*" element={<Navigate to="/dashboard" replace />} />
    </Routes>
  )
}

function pathsOf(isAdmin: boolean): PagePath[] {
  return (Object.keys(pages) as PagePath[]).filter((path) => path !== '/admin' || isAdmin)
}
