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
  failed: 'No se pudo leer una parte. Se intenta otra vez.',
  lines: {
    alarms: 'Alarmas abiertas del banco',
    clearing: 'Transferencias a otros bancos sin archivo de compensación',
    overdrawn: 'Saldos negativos',
    unconfirmed: 'Personas que no han confirmado su email',
    blocked: 'Personas con el acceso bloqueado',
  },
  owed: 'Lo que el banco debe',
  accounts: (count: number) => counted(count, 'cuenta', 'cuentas'),
  balances: (money: string) => `Los saldos que ven los clientes suman ${money}:`,
  notes: (money: string) => `sus anotaciones suman ${money} y no son dinero del banco.`,
  days: 'Ver los últimos 30 días',
} as const
