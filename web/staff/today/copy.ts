import { adminCopy } from '#staff/copy.ts'
import { countOf, counted, plural } from '#ui/format/count.ts'

export const todayCopy = {
  waiting: (count: number) => `${countOf(count)} ${plural(count, 'solicitud', 'solicitudes')} por decidir`,
  waitingTitle: 'Solicitudes por decidir',
  loading: 'Cargando las solicitudes…',
  unread: 'No se pudieron cargar las solicitudes.',
  nothingWaiting: 'No hay solicitudes por decidir.',
  first: (expiry: string) => `la primera ${expiry}`,
  review: 'Revisar',
  reviewOf: (object: string) => `Revisar ${object}`,
  all: 'Ver todas',
  attend: 'Para atender',
  nothing: 'Nada por atender.',
  ofRiskiest: (shown: number) => `De las ${countOf(shown)} más riesgosas, las que vencen primero.`,
  failed: 'No se pudo leer una parte.',
  lines: {
    alarms: 'Alarmas abiertas del banco',
    clearing: 'Transferencias a otros bancos sin archivo de compensación',
    overdrawn: 'Saldos negativos en el banco',
    unanswered: 'Invitaciones sin respuesta desde hace más de 3 días',
    unconfirmed: 'Personas que no han confirmado su email',
    blocked: 'Personas con el acceso bloqueado',
  },
  day: {
    title: 'Hoy por ti',
    lines: {
      deposits: (count: number) => counted(count, 'depósito', 'depósitos'),
      expenses: (count: number) => counted(count, 'gasto', 'gastos'),
      corrections: (count: number) => counted(count, 'corrección', 'correcciones'),
      batches: (count: number) => counted(count, 'lote', 'lotes'),
      decisions: (count: number) => counted(count, 'solicitud decidida', 'solicitudes decididas'),
      others: (count: number) => counted(count, 'acto más', 'actos más'),
    },
    nothing: 'Todavía nada.',
    left: (money: string) => `Te quedan ${money} hoy sin otra persona`,
    register: 'Ver el registro',
  },
  owed: adminCopy.debt.title,
  days: 'Ver los últimos 30 días',
} as const
