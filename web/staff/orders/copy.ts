import { countOf, counted, plural } from '#ui/format/count.ts'

import type { AccessAct, ActKind, Obstacle, RiskSign, Status } from './requests.ts'

const objectsInWords = (count: number, areTransfers: boolean) =>
  `${countOf(count)} ${nounOf(count, areTransfers)}`

const nounOf = (count: number, areTransfers: boolean) =>
  areTransfers ? plural(count, 'transferencia', 'transferencias') : plural(count, 'solicitud', 'solicitudes')

const capitalized = (noun: string) => noun.charAt(0).toUpperCase() + noun.slice(1)

export const requestQueueCopy = {
  documentTitle: 'Solicitudes - Finanzas',
  views: 'Vistas de las solicitudes',
  waiting: 'Pendientes',
  decided: 'Decididas',
  clearing: 'Compensación',
  loading: 'Cargando las solicitudes…',
  unread: 'No se pudieron cargar las solicitudes.',
  nothingWaiting: 'No hay solicitudes por decidir.',
  nothingDecided: 'Todavía no hay solicitudes decididas.',
  noneOfStatus: 'No hay solicitudes con ese estado.',

  columns: { people: 'Solicitud', risk: 'Riesgo', amount: 'Monto', time: 'Pedida', actions: 'Acciones' },
  decidedColumns: {
    people: 'Solicitud',
    status: 'Estado',
    amount: 'Monto',
    time: 'Pedida',
    actions: 'Acciones',
  },
  to: 'a',
  subjects: {
    transfer: (payer: string, payee: string) => `${payer} a ${payee}`,
    deposit: (name: string) => `Depósito a ${name}`,
    expense: (name: string) => `Gasto de ${name}`,
    correction: (name: string) => `Corrección para ${name}`,
    batch: (title: string) => `Lote «${title}»`,
    deletion: (name: string) => `Eliminar a ${name}`,
    promotion: (name: string) => `Rol de administrador para ${name}`,
    demotion: (name: string) => `Quitar el rol de administrador a ${name}`,
    block: (name: string) => `Bloquear a ${name}`,
    factor: (name: string) => `Quitar la verificación en dos pasos de ${name}`,
    return: (name: string) => `Devolución a ${name} de una transferencia a otro banco`,
    file_return: (file: string) => `Devolución de todo el archivo de compensación ${file}`,
  },
  /** The subjects of requests, worded so that they can follow a verb in the name of a button. */
  objects: {
    transfer: (payer: string, payee: string) => `la transferencia de ${payer} a ${payee}`,
    deposit: (name: string) => `el depósito a ${name}`,
    expense: (name: string) => `el gasto de ${name}`,
    correction: (name: string) => `la corrección para ${name}`,
    batch: (title: string) => `el lote «${title}»`,
    deletion: (name: string) => `la eliminación de ${name}`,
    promotion: (name: string) => `el rol de administrador para ${name}`,
    demotion: (name: string) => `el fin del rol de administrador de ${name}`,
    block: (name: string) => `el bloqueo de ${name}`,
    factor: (name: string) => `el retiro de la verificación en dos pasos de ${name}`,
    return: (name: string) => `la devolución a ${name} de una transferencia a otro banco`,
    file_return: (file: string) => `la devolución de todo el archivo de compensación ${file}`,
  },
  named: (object: string, money: string | null, at: string) =>
    `${object}: ${money === null ? '' : `${money}, `}pedida el ${at}`,
  untitled: 'sin nombre',
  forgotten: 'una cuenta de otro banco',
  askedBy: (name: string) => `Lo pidió ${name}`,
  blockedFor: (hours: number | null) =>
    hours === null ? 'Hasta que se desbloquee' : `Por ${countOf(hours)} horas`,
  rightAmount: (money: string) => `Monto correcto: ${money}`,
  transfers: (count: number) => objectsInWords(count, true),
  deposits: (count: number) => counted(count, 'abono', 'abonos'),
  accounts: (count: number) => plural(count, '1 cuenta nueva', `${countOf(count)} cuentas nuevas`),
  noAmount: 'Sin monto',
  dueOn: (day: string) => `Para el ${day}`,
  signs: {
    payee: (day: string) => `Beneficiario nuevo: ${day}`,
    amount: 'Monto inusual cuando la pidió',
    hour: 'Pedida entre las 10 p. m. y las 6 a. m.',
  } satisfies Record<RiskSign, unknown>,
  newPayee: 'Beneficiario nuevo',
  firstTransfer: 'Su primera transferencia',
  times: (times: number) => `Monto ${countOf(times)} veces lo usual`,
  noSigns: 'Sin señales',
  /** Why an act of an administrator needs a second administrator. */
  powers: {
    transaction: 'Sobre el límite de un administrador',
    correction: 'Sobre el límite de un administrador',
    batch: 'Sobre el límite de un administrador',
    deletion: 'Cierra una cuenta con dinero o de un administrador',
    promotion: 'Da el poder de un administrador',
    demotion: 'Quita el poder de un administrador',
    block: 'Deja sin acceso a un administrador',
    factor: 'Deja entrar solo con la contraseña',
    return: 'Ya estaba en un archivo de compensación',
    file_return: 'Devuelve un archivo entero',
  } satisfies Record<ActKind, string>,
  /** The recent acts on the access of the payer, or of the person that an act affects. */
  accessActs: {
    block_user: (day: string) => `Acceso bloqueado: ${day}`,
    unblock_user: (day: string) => `Acceso desbloqueado: ${day}`,
    reset_factor: (day: string) => `Segundo paso retirado: ${day}`,
    reset_access: (day: string) => `Acceso restablecido: ${day}`,
    begin_email_change: (day: string) => `Cambio de email: ${day}`,
    send_link: (day: string) => `Enlace enviado: ${day}`,
    correct_holder: (day: string) => `Datos corregidos: ${day}`,
  } satisfies Record<AccessAct, unknown>,
  availableAfter: (money: string) => `Disponible después ${money}`,
  usual: (money: string) => `suele enviar hasta ${money}`,
  largest: (money: string) => `su mayor envío en 90 días: ${money}`,
  sentNothing: 'no ha enviado antes',
  sentNothingRecently: 'no ha enviado en 90 días',
  today: (count: number) => `${countOf(count)} hoy`,
  payeeSince: (day: string) => `beneficiario desde el ${day}`,
  balance: {
    now: (money: string) => `Saldo ahora ${money}`,
    from: (money: string) => `El saldo pasa de ${money}`,
  },
  /** The balance according to the bank, if the customer's own notes lower the balance that the customer sees. */
  held: {
    now: (money: string) => `Saldo ahora en el banco ${money}`,
    from: (money: string) => `El saldo en el banco pasa de ${money}`,
  },
  balanceTo: (money: string) => `a ${money}`,
  withNotes: (money: string) => `con sus anotaciones, ahora ${money}`,
  expires: {
    past: 'plazo vencido',
    now: 'vence en menos de una hora',
    hours: (hours: number) => `vence en ${hours} ${plural(hours, 'hora', 'horas')}`,
    days: (days: number) => `vence en ${days} días`,
  },
  obstacles: {
    own: 'Es tuya: la decide otra persona.',
    keys: 'Abriste una cuenta de esta solicitud, o cambiaste su acceso: la decide otra persona.',
    first: 'Ya la aprobaste: falta otra persona.',
  } satisfies Record<Obstacle, string>,
  firstApprovedBy: (name: string) => `${name} ya la aprobó.`,
  stuck:
    'Nadie más puede decidirla: vence sin decisión. El operador del banco puede crear otro administrador.',

  choice: 'Elegir',
  choose: (object: string) => `Elegir ${object}`,
  waitingCount: (count: number, areTransfers: boolean) =>
    `${objectsInWords(count, areTransfers)} por decidir`,
  riskiest: (shown: number) => `se muestran las ${shown} más riesgosas`,
  /** Shown for a link to a request that the list does not contain. */
  notWaiting: 'La solicitud que buscabas ya no espera o no está en esta lista.',
  chosen: (count: number) => (money: string) => `${counted(count, 'elegida', 'elegidas')} por ${money}`,
  gone: (count: number) => plural(count, '1 ya no espera', `${count} ya no esperan`),
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
    actFor: (object: string) => `Aprobar ${object}`,
    title: (count: number, areTransfers: boolean) =>
      `Aprobar ${count === 1 ? nounOf(1, areTransfers) : objectsInWords(count, areTransfers)}`,
    explained: (areTransfers: boolean) =>
      areTransfers
        ? 'El dinero pasa ahora a quien lo recibe, o el día para el que se pidió.'
        : 'Se hace ahora. El registro muestra quién lo pidió y que tú lo aprobaste.',
    purpose: 'aprobar estas solicitudes',
    doneTitle: (count: number, areTransfers: boolean) =>
      plural(
        count,
        `${capitalized(nounOf(1, areTransfers))} aprobada`,
        `${objectsInWords(count, areTransfers)} aprobadas`,
      ),
    failedTitle: 'No se aprobó nada',
    noneTitle: 'No se aprobó nada',
  },
  decline: {
    act: 'Rechazar',
    actFor: (object: string) => `Rechazar ${object}`,
    title: (count: number, areTransfers: boolean) =>
      `Rechazar ${count === 1 ? nounOf(1, areTransfers) : objectsInWords(count, areTransfers)}`,
    explained: (areTransfers: boolean) =>
      areTransfers
        ? 'El dinero queda otra vez disponible para quien pidió la transferencia.'
        : 'No se hace. Quien lo pidió lee el motivo.',
    purpose: 'rechazar estas solicitudes',
    doneTitle: (count: number, areTransfers: boolean) =>
      plural(
        count,
        `${capitalized(nounOf(1, areTransfers))} rechazada`,
        `${objectsInWords(count, areTransfers)} rechazadas`,
      ),
    failedTitle: 'No se rechazó nada',
    noneTitle: 'No se rechazó nada',
    reasons: ['No pudimos confirmar que la pediste tú', 'El beneficiario no es seguro', 'Es un duplicado'],
  },
  unknown: {
    title: 'No llegó la respuesta',
    text: 'Puede que sí se haya hecho. Mira la lista antes de intentarlo de nuevo.',
  },
  more: (count: number, areTransfers: boolean) => `y ${objectsInWords(count, areTransfers)} más`,
  cancellation: {
    act: 'Cancelar',
    actFor: (object: string) => `Cancelar ${object}`,
    doneTitle: 'Solicitud cancelada',
    failedTitle: 'No se canceló nada',
  },
  elsewhere: {
    approved: (count: number, name: string) => `${name} ya había aprobado ${count}.`,
    declined: (count: number, name: string) => `${name} ya había rechazado ${count}.`,
    cancelled: (count: number) =>
      `${count} ya no esperaba${plural(count, '', 'n')}: quien lo pidió lo canceló.`,
    second: (count: number) =>
      `${count} ${plural(count, 'espera', 'esperan')} la aprobación de otra persona: hoy llegaste a tu límite.`,
    expired: (count: number) => `${count} ya no esperaba${plural(count, '', 'n')}: venció el plazo.`,
    sent: (count: number) =>
      `${count} ya se ${plural(count, 'envió: devuélvela', 'enviaron: devuélvelas')} si hace falta.`,
    failed: (count: number, reason: string) =>
      `${count} ${plural(count, 'no se hizo', 'no se hicieron')}: ${reason}`,
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
    actFor: (object: string) => `Devolver ${object}`,
    title: 'Devolver transferencia',
    explained: (payer: string, payee: string) => (money: string) =>
      `${money} vuelven de ${payee} a ${payer}. Los dos ven la devolución y el motivo.`,
    unsent: (payer: string, payee: string) => (money: string) =>
      `${money} vuelven a ${payer}. La transferencia a ${payee} todavía no está en un archivo de compensación, y ya no se envía.`,
    sent: (file: number) => (payer: string, payee: string) => (money: string) =>
      `${money} vuelven a ${payer}. La transferencia a ${payee} ya se envió en el archivo de compensación ${file}: devuélvela solo si el otro banco ya devolvió el dinero.`,
    purpose: 'devolver esta transferencia',
    doneTitle: 'Transferencia devuelta',
    doneText: 'El dinero está otra vez en la cuenta de quien pagó.',
    waitingTitle: 'La devolución espera',
    waitingText: 'Ya estaba en un archivo de compensación: otra persona debe aprobarla.',
    failedTitle: 'No se devolvió nada',
    reason: (reason: string) => `Motivo de la devolución: ${reason}`,
  },
} as const
