import { lazy } from 'react'
import { Navigate, Route, Routes } from 'react-router'
import { isAdministrator, useUser } from '#session/session.ts'
import { pages, type PagePath } from './pages.ts'

const routes = (Object.keys(pages) as PagePath[]).map((path) => ({
  path,
  Page: lazy(async () => ({ default: await pages[path]() })),
}))

/** The pages of a signed-in user; `/admin` exists for administrators only, every other path is the dashboard. */
export function PageRoutes() {
  const isAdmin = isAdministrator(useUser())
  return (
    <Routes>
      {routes
        .filter(({ path }) => path !== '/admin' || isAdmin)
        .map(({ path, Page }) => (
          <Route key={path} path={path} element={<Page />} />
        ))}
      <Route path="*" element={<Navigate to="/dashboard" replace />} />
    </Routes>
  )
}
