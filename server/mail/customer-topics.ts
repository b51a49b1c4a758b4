/**
 * The texts about events of which a customer wants to be notified, about sign-ins from new devices, and about requests
 * that wait for an administrator. The facts contain no amounts, descriptions or names, because other people may read a
 * mail (docs/privacy.md).
 */
import { stopNoticesLinkType, stopRequestNoticesLinkType } from '@finanzas/contract/people/mailed-link.ts'
import { monthInWords } from '@finanzas/contract/papers/copy.ts'
import { stopToken } from '#tokens/stop-token.ts'
import { oneClickStopAddress, pageAddress } from './link-address.ts'
import { ifItWasNotYou, whenAndWhere } from './templates.ts'
import type { News, NewsCopy } from './news.ts'

type EventWords = {
  readonly subject: string
  readonly happened: string
  /** Says where the customer can read more; by default in their profile. */
  readonly look?: string
  readonly userAgent?: string
}

/** Returns the text about events that are also in the customer's list. */
const event =
  (wordsOf: (news: News, detail: string) => EventWords) =>
  (news: News): NewsCopy => {
    const { siteUrl, facts } = news
    const detail = String(facts['detail'] ?? '')
    const { subject, happened, look, userAgent = null } = wordsOf(news, detail)
    const earlier = Number(facts['events']) - 1
    const incident = { at: new Date(String(facts['happened_at'])), userAgent }
    const paragraphs = [
      earlier > 0 ? `${happened} ${othersOf(earlier)}` : happened,
      whenAndWhere({ ...news, incident }),
      look ?? `Míralo en tu perfil, en ${siteUrl}/perfil.`,
    ]
    if (typeof facts['seed'] !== 'string') return { subject, paragraphs, closing: ifItWasNotYou(news) }
    return {
      ...linkToStop(news, stopNoticesLinkType, 'No recibir más este aviso'),
      subject,
      paragraphs,
      closing:
        'Recibes este correo porque elegiste este aviso. Para no recibirlo más, abre el enlace y confírmalo; no necesitas iniciar sesión.',
    }
  }

/** Returns the link that stops the mails about a topic. */
function linkToStop(
  { siteUrl, keys, facts }: News,
  type: Parameters<typeof pageAddress>[1]['type'],
  button: string,
) {
  const token = stopToken(keys, String(facts['seed']))
  return {
    next: { link: pageAddress(siteUrl, { token, type }), button },
    unsubscribe: oneClickStopAddress(siteUrl, token),
  }
}

const othersOf = (earlier: number) =>
  `Desde el último correo sobre este tema hubo ${earlier === 1 ? 'otro aviso' : `otros ${earlier} avisos`}.`

/** The topics that a customer can choose, as the mail about a stopped notice names them. */
const noticeWords: Readonly<Record<string, string>> = {
  deposit: 'depósitos',
  correction: 'correcciones del banco',
  transfer: 'transferencias',
  large_expense: 'gastos grandes',
  category_limit: 'límites de categorías',
  low_balance: 'saldo bajo',
  statement: 'extractos',
}

const transferWords: Readonly<Record<string, string>> = {
  sent: 'Enviaste una transferencia.',
  received: 'Recibiste una transferencia.',
  declined: 'El banco no aprobó una transferencia tuya.',
  returned: 'El banco devolvió una transferencia.',
  failed: 'Una transferencia tuya no se pudo hacer.',
  expired: 'Una transferencia tuya venció sin que el banco la aprobara.',
}

export const customerTopics = {
  deposit: event(({ brandName }) => ({
    subject: `Recibiste un depósito en ${brandName}`,
    happened: `${brandName} registró un depósito en tu cuenta.`,
  })),
  correction: event(({ brandName }) => ({
    subject: `Corregimos un movimiento tuyo en ${brandName}`,
    happened: `${brandName} corrigió un movimiento de tu cuenta.`,
  })),
  transfer: event(({ brandName }, detail) => ({
    subject: `Novedades de una transferencia en ${brandName}`,
    happened: transferWords[detail] ?? 'Una transferencia tuya cambió de estado.',
  })),
  large_expense: event(({ brandName }) => ({
    subject: `Un gasto superó el monto que elegiste en ${brandName}`,
    happened: `${brandName} registró en tu cuenta un gasto mayor que el monto que elegiste.`,
  })),
  category_limit: event(({ brandName }) => ({
    subject: `Una categoría llegó a su límite en ${brandName}`,
    happened: 'Los gastos del mes de una de tus categorías llegaron a su límite.',
  })),
  low_balance: event(({ brandName }) => ({
    subject: `Tu saldo bajó del monto que elegiste en ${brandName}`,
    happened: 'Tu saldo bajó del monto que elegiste.',
  })),
  stopped: event(({ brandName }, detail) => ({
    subject: `Dejaste de recibir un aviso de ${brandName}`,
    happened: `Alguien abrió el enlace de un correo y dejaste de recibir los avisos sobre ${noticeWords[detail] ?? 'tu cuenta'}. Puedes elegirlos otra vez.`,
  })),
  statement: event(({ brandName, siteUrl }, month) => ({
    subject: `Tu extracto de ${monthInWords(month)} está listo en ${brandName}`,
    happened: `Ya puedes ver y descargar tu extracto de ${monthInWords(month)}.`,
    look: `Ábrelo en ${siteUrl}/extractos?mes=${month}.`,
  })),
  new_device: event(({ brandName }, userAgent) => ({
    subject: `Entraron a tu cuenta de ${brandName} desde un dispositivo nuevo`,
    happened: `Alguien inició sesión en tu cuenta de ${brandName} desde un dispositivo o una red que no conocíamos.`,
    userAgent,
  })),
  /** For an administrator. The mail does not describe the requests. */
  request(news: News): NewsCopy {
    const { brandName, siteUrl } = news
    return {
      ...linkToStop(news, stopRequestNoticesLinkType, 'No recibir este aviso durante 30 días'),
      subject: `Hay solicitudes por decidir en ${brandName}`,
      paragraphs: [
        'Al menos una solicitud nueva espera la decisión de un administrador.',
        `Mírala en ${siteUrl}/admin/solicitudes.`,
      ],
      closing:
        'Recibes este correo, como máximo una vez por hora, porque eres administrador. Para no recibirlo durante 30 días, abre el enlace y confírmalo; no necesitas iniciar sesión.',
    }
  },
}
