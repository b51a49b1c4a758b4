import { useEffect } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { isAdministrator, useUser } from '#session/session.ts'
import { pages, preloadPage, type PagePath } from './pages.ts'

/** The page that was opened comes first: the others are fetched when it has had this long. */
const aheadDelayMs = 2500

/** The pages of a signed-in user; `/admin` exists for administrators only, every other path is the dashboard. */
export function PageRoutes() {
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
