import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { backend } from '#api/client.ts'
import { hasFeature } from '#api/configuration.ts'
import { unwrap } from '#api/unwrap.ts'
import { newsKey, type NewsCounts } from '#data/queries.ts'
import { followNotifications } from '#profile/notices/notifications.ts'
import { isAdministrator, useUser } from '#people/session/session.ts'
import { countOf, counted, plural } from '#ui/format/count.ts'
import { showNews } from '#navigation/news.ts'

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
  useEffect(() => {
    const { unread = 0, waiting = 0 } = data ?? {}
    showNews({
      ...(unread > 0 && {
        '/perfil': { figure: String(unread), words: counted(unread, 'aviso nuevo', 'avisos nuevos') },
      }),
      ...(waiting !== null &&
        waiting > 0 && {
          '/admin': {
            figure: waiting < waitingMax ? String(waiting) : `${waitingMax - 1}+`,
            words:
              waiting < waitingMax
                ? `${countOf(waiting)} ${plural(waiting, 'solicitud', 'solicitudes')} por decidir`
                : `Más de ${waitingMax - 1} solicitudes por decidir`,
          },
        }),
    })
    return () => showNews({})
  }, [data])
  useEffect(
    () =>
      hasFeature('notificaciones')
        ? followNotifications(user.id, () => void client.invalidateQueries({ queryKey: newsKey }))
        : undefined,
    [client, user.id],
  )
  return null
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
