import { formatMonthAndYear } from '#ui/format/months.ts'
import type { Kind, OwnNotification } from './notifications.ts'

const more = (events: number, one: string, many: string) =>
  events === 1 ? one : many.replace('#', String(events))

const transfers: Readonly<Record<string, readonly [one: string, many: string]>> = {
  sent: ['Enviaste una transferencia', 'Enviaste # transferencias'],
  received: ['Recibiste una transferencia', 'Recibiste # transferencias'],
  declined: ['El banco no aprobó una transferencia', 'El banco no aprobó # transferencias'],
  returned: ['El banco devolvió una transferencia', 'El banco devolvió # transferencias'],
  failed: ['Una transferencia no se pudo hacer', '# transferencias no se pudieron hacer'],
  expired: [
    'Una transferencia venció sin que el banco la aprobara',
    '# transferencias vencieron sin que el banco las aprobara',
  ],
}

const kinds = {
  deposit: 'Un depósito',
  correction: 'Una corrección del banco',
  transfer: 'Una transferencia enviada, recibida, no aprobada o devuelta',
  large_expense: 'Un gasto que registra el banco, mayor que un monto',
  category_limit: 'Una categoría que llega a su límite',
  low_balance: 'Un saldo menor que un monto',
  statement: 'El extracto de cada mes, cuando está listo',
} satisfies Record<Kind, string>
const kindWords: Readonly<Record<string, string>> = kinds

export const notificationsCopy = {
  title: 'Notificaciones',
  text: 'Elige qué te avisamos. Cada aviso queda en tu perfil y te llega por email: como máximo un correo por hora de cada tipo, y uno cada 5 minutos si es de transferencias o de un dispositivo nuevo. Los correos no llevan tu saldo ni montos.',
  onlyHere: 'Elige qué te avisamos. Cada aviso queda en tu perfil.',
  choices: 'Avísame de',
  groups: { money: 'Dinero', budget: 'Presupuesto', security: 'Seguridad' },
  always: 'Un inicio de sesión desde un dispositivo nuevo',
  alwaysHint: 'Este aviso es por tu seguridad y no se apaga.',
  kinds,
  above: 'Gasto mayor que',
  below: 'Saldo menor que',
  loading: 'Cargando tus notificaciones…',
  failed: 'No se pudieron cargar tus notificaciones.',
  save: 'Guardar',
  saved: 'Notificaciones guardadas',
  saveFailed: 'No se pudieron guardar las notificaciones',
  proofPurpose: 'dejar de recibir un aviso',
  unproven: 'Para dejar de recibir un aviso, confirma que eres tú.',
  signInAgain: 'Cierra la sesión, entra otra vez e inténtalo de nuevo.',
  tryAgain: 'Inténtalo de nuevo en un momento.',
  list: 'Lo que te avisamos',
  none: 'Aquí verás lo que te avisamos. Los avisos se guardan 90 días.',
  unread: 'Nuevo',
  more: (rest: number) => `Ver ${rest} más`,
  event: ({ kind, detail, events }: OwnNotification): string => {
    switch (kind) {
      case 'deposit':
        return more(events, 'El banco registró un depósito', 'El banco registró # depósitos')
      case 'correction':
        return more(events, 'El banco corrigió un movimiento', 'El banco corrigió # movimientos')
      case 'transfer':
        return more(
          events,
          ...(transfers[detail ?? ''] ?? ['Una transferencia cambió', '# transferencias cambiaron']),
        )
      case 'large_expense':
        return more(
          events,
          'El banco registró un gasto mayor que el monto que elegiste',
          'El banco registró # gastos mayores que el monto que elegiste',
        )
      case 'category_limit':
        return `«${detail ?? ''}» llegó a su límite del mes`
      case 'low_balance':
        return 'Tu saldo bajó del monto que elegiste'
      case 'statement':
        return `Tu extracto de ${formatMonthAndYear(detail ?? '')} está listo`
      case 'stopped':
        return `Dejaste de recibir un aviso desde el enlace de un correo: ${kindWords[detail ?? ''] ?? 'un aviso'}`
      case 'new_device':
      default:
        return 'Entraron a tu cuenta desde un dispositivo nuevo'
    }
  },
} as const
