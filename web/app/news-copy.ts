import { countOf, counted, plural } from '#ui/format/count.ts'

/** Texts of the numbers beside *Perfil* and *Admin*. */
export const newsCopy = {
  unread: (count: number) => counted(count, 'aviso nuevo', 'avisos nuevos'),
  waiting: (count: number) => `${countOf(count)} ${plural(count, 'solicitud', 'solicitudes')} por decidir`,
  waitingMore: (count: number) => `Más de ${countOf(count)} solicitudes por decidir`,
} as const
