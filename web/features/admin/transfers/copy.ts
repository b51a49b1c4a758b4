import type { RiskSign, Status } from './requests.ts'

const transfers = (count: number) =>
  `${count.toLocaleString('es-CO')} ${count === 1 ? 'transferencia' : 'transferencias'}`

export const transferQueueCopy = {
  documentTitle: 'Transferencias - Finanzas',
  views: 'Vistas de las transferencias',
  waiting: 'Pendientes',
  decided: 'Decididas',
  loading: 'Cargando las transferencias…',
  unread: 'No se pudieron cargar las transferencias.',
  nothingWaiting: 'No hay transferencias por decidir.',
  nothingDecided: 'Todavía no hay transferencias decididas.',
  noneOfStatus: 'No hay transferencias con ese estado.',
  showMore: 'Mostrar más',

  columns: { people: 'De y para', risk: 'Riesgo', amount: 'Monto', time: 'Pedida', actions: 'Acciones' },
  decidedColumns: {
    people: 'De y para',
    status: 'Estado',
    amount: 'Monto',
    time: 'Pedida',
    actions: 'Acciones',
  },
  to: 'a',
  between: (payer: string, payee: string) => `${payer} a ${payee}`,
  named: (between: string, money: string, at: string) => `${between}: ${money}, pedida el ${at}`,
  dueOn: (day: string) => `Para el ${day}`,
  signs: {
    payee: 'Beneficiario nuevo',
    amount: 'Monto inusual',
    hour: 'Hora inusual',
  } satisfies Record<RiskSign, string>,
  noSigns: 'Sin señales',
  expires: {
    past: 'plazo vencido',
    now: 'vence en menos de una hora',
    hours: (hours: number) => `vence en ${hours} ${hours === 1 ? 'hora' : 'horas'}`,
    days: (days: number) => `vence en ${days} días`,
  },
  ownWhy: 'Es tuya: la decide otra persona.',

  choice: 'Elegir',
  choose: (named: string) => `Elegir la transferencia de ${named}`,
  waitingCount: (count: number) => `${transfers(count)} por decidir`,
  riskiest: (shown: number) => `se muestran las ${shown} más riesgosas`,
  chosen: (count: number) => (money: string) =>
    `${count.toLocaleString('es-CO')} ${count === 1 ? 'elegida' : 'elegidas'} por ${money}`,
  gone: (count: number) => (count === 1 ? '1 ya no espera' : `${count} ya no esperan`),
  unchoose: 'Quitar selección',
  keys: {
    move: 'moverse',
    choose: 'elegir',
    range: 'elegir varias',
    approve: 'aprobar',
    decline: 'rechazar',
  },

  approval: {
    act: 'Aprobar',
    actFor: (named: string) => `Aprobar la transferencia de ${named}`,
    title: (count: number) => (count === 1 ? 'Aprobar transferencia' : `Aprobar ${transfers(count)}`),
    explained: 'El dinero pasa ahora a quien lo recibe, o el día para el que se pidió.',
    purpose: 'aprobar estas transferencias',
    doneTitle: (count: number) => (count === 1 ? 'Transferencia aprobada' : `${transfers(count)} aprobadas`),
    failedTitle: 'No se aprobó nada',
    noneTitle: 'No se aprobó nada',
  },
  decline: {
    act: 'Rechazar',
    actFor: (named: string) => `Rechazar la transferencia de ${named}`,
    title: (count: number) => (count === 1 ? 'Rechazar transferencia' : `Rechazar ${transfers(count)}`),
    explained: 'El dinero queda otra vez disponible para quien pidió la transferencia.',
    purpose: 'rechazar estas transferencias',
    doneTitle: (count: number) =>
      count === 1 ? 'Transferencia rechazada' : `${transfers(count)} rechazadas`,
    failedTitle: 'No se rechazó nada',
    noneTitle: 'No se rechazó nada',
    reasons: ['No pudimos confirmar que la pediste tú', 'El beneficiario no es seguro', 'Es un duplicado'],
  },
  unknown: {
    title: 'No llegó la respuesta',
    text: 'Puede que sí se haya hecho. Mira la lista antes de intentarlo de nuevo.',
  },
  more: (count: number) => `y ${transfers(count)} más`,
  elsewhere: {
    approved: (count: number, name: string) => `${name} ya había aprobado ${count}.`,
    declined: (count: number, name: string) => `${name} ya había rechazado ${count}.`,
    cancelled: (count: number) => `${count} ya no esperaba${count === 1 ? '' : 'n'}: el cliente canceló.`,
    expired: (count: number) => `${count} ya no esperaba${count === 1 ? '' : 'n'}: venció el plazo.`,
    failed: (count: number, reason: string) =>
      `${count} ${count === 1 ? 'no se hizo' : 'no se hicieron'}: ${reason}`,
  },
  anotherAdministrator: 'Otra persona',

  filter: 'Mostrar',
  everyStatus: 'Todas',
  statuses: {
    scheduled: 'Programada',
    done: 'Hecha',
    declined: 'Rechazada',
    cancelled: 'Cancelada',
    expired: 'Vencida',
    failed: 'No se hizo',
    returned: 'Devuelta',
  } satisfies Record<Exclude<Status, 'waiting'>, string>,
  filters: {
    scheduled: 'Programadas',
    done: 'Hechas',
    declined: 'Rechazadas',
    cancelled: 'Canceladas',
    expired: 'Vencidas',
    failed: 'No hechas',
    returned: 'Devueltas',
  } satisfies Record<Exclude<Status, 'waiting'>, string>,
  by: (name: string) => `La decidió ${name}`,
  automatic: 'Sin decisión: monto pequeño',

  giveBack: {
    act: 'Devolver',
    actFor: (named: string) => `Devolver la transferencia de ${named}`,
    title: 'Devolver transferencia',
    explained: (payer: string, payee: string) => (money: string) =>
      `${money} vuelven de ${payee} a ${payer}. Los dos ven la devolución y el motivo.`,
    purpose: 'devolver esta transferencia',
    doneTitle: 'Transferencia devuelta',
    doneText: 'El dinero está otra vez en la cuenta de quien pagó.',
    failedTitle: 'No se devolvió nada',
    reason: (reason: string) => `Motivo de la devolución: ${reason}`,
  },
} as const
