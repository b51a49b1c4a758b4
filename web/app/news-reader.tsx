import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { backend } from '#api/client.ts'
import { hasFeature } from '#api/configuration.ts'
import { unwrap } from '#api/unwrap.ts'
import { newsKey, type NewsCounts } from '#data/queries.ts'
import { followNotifications } from '#profile/notices/notifications.ts'
import { isAdministrator, useUser } from '#people/session/session.ts'
import { Link } from '#ui/address/link.tsx'
import { showNews, type News } from '#navigation/news.ts'
import { newsCopy } from './news-copy.ts'
import './news.css'

/** Interval at which an administrator's page counts again, because no event announces a request of another person. */
const recountMs = 30_000
/** Time for which a count is fresh. The dashboard reads the counts together with its sums. */
const freshMs = 5000
/** Maximum of `public.count_news`. */
const waitingMax = 100

/**
 * Reads the numbers beside *Perfil* and *Admin*, and keeps them current. The first numbers on the dashboard come with
 * the sums. Every other page reads the numbers once when it opens first.
 */
export function NewsReader() {
  const user = useUser()
  const client = useQueryClient()
  const isAdmin = isAdministrator(user)
  const { data } = useQuery({
    ...newsQuery,
    enabled: ({ state }) => state.data !== undefined || window.location.pathname !== '/dashboard',
    refetchInterval: isAdmin ? recountMs : false,
  })
  const { unread = 0, waiting = 0 } = data ?? {}
  const unreadWords = newsCopy.unread(unread)
  const waitingWords = wordsOf(waiting ?? 0)
  useEffect(() => {
    showNews({
      ...(unread > 0 && { '/perfil': newsOf('/perfil', String(unread), unreadWords) }),
      ...(waiting !== null &&
        waiting > 0 && {
          '/admin': newsOf(
            '/admin',
            waiting < waitingMax ? String(waiting) : `${waitingMax - 1}+`,
            waitingWords,
          ),
        }),
    })
    return () => showNews({})
  }, [unread, unreadWords, waiting, waitingWords])
  useEffect(
    () =>
      hasFeature('notificaciones')
        ? followNotifications(user.id, () => void client.invalidateQueries({ queryKey: newsKey }))
        : undefined,
    [client, user.id],
  )
  return (
    <div hidden>
      <p id={idOf('/perfil')}>{unreadWords}</p>
      <p id={idOf('/admin')}>{waitingWords}</p>
    </div>
  )
}

function wordsOf(waiting: number): string {
  return waiting < waitingMax ? newsCopy.waiting(waiting) : newsCopy.waitingMore(waitingMax - 1)
}

const idOf = (page: string) => `news-${page.slice(1)}`

function newsOf(page: string, figure: string, words: string): News {
  return {
    id: idOf(page),
    figure: (
      <span aria-hidden="true" className="news-figure">
        {figure}
      </span>
    ),
    line: (
      <>
        {' · '}
        <Link to={page} className="text-primary hover:underline">
          {words}
        </Link>
      </>
    ),
  }
}

const newsQuery = queryOptions({
  queryKey: newsKey,
  staleTime: freshMs,
  queryFn: async ({ signal }): Promise<NewsCounts> => {
    const client = await backend()
    const counts: unknown = unwrap(
      await client.rpc('count_news', undefined, { get: true }).abortSignal(signal),
    )
    return counts as NewsCounts
  },
})
