/**
 * Mails about events of which a customer wants to be notified, about sign-ins from new devices, and about requests that
 * wait for an administrator. The notices in the database contain no amounts, descriptions or names, because other
 * people may read a mail (docs/privacy.md).
 */
import { stopNoticesLinkType, stopRequestNoticesLinkType } from '@finanzas/contract/access/mailed-link.ts'
import { monthInWords } from '@finanzas/contract/statement/copy.ts'
import type { Keys } from '#tokens/keys.ts'
import { stopToken } from '#tokens/stop-token.ts'
import { oneClickStopAddress, pageAddress } from './link-address.ts'
import { type Mail, writeMail } from './mail-page.ts'
import { type Notice, ifItWasNotYou, whenAndWhere } from './templates.ts'

/** An event in the form that `private.enqueue_customer_notice` stores. */
export type CustomerNews = Readonly<Record<string, string | null>>

/** Writes the mail. Throws for an unknown kind. */
export function notificationMail(
  notice: Notice & { readonly keys: Pick<Keys, 'links'> },
  news: CustomerNews,
): Mail {
  const { brandName, siteUrl, keys } = notice
  const { detail = null, seed = null } = news
  const kind = news['kind'] ?? ''
  const { subject, happened } = wordsOf(brandName, kind, detail)
  const incident = {
    at: new Date(news['happened_at'] ?? Number.NaN),
    userAgent: kind === 'new_device' ? (detail ?? '') : null,
  }
  const earlier = Number(news['events']) - 1
  const paragraphs = [
    earlier > 0 ? `${happened} ${othersOf(earlier)}` : happened,
    whenAndWhere({ ...notice, incident }),
    kind === 'statement'
      ? `Ábrelo en ${siteUrl}/extractos?mes=${detail}.`
      : `Míralo en tu perfil, en ${siteUrl}/perfil.`,
  ]
  if (seed === null) {
    return writeMail(notice, { subject, paragraphs, closing: ifItWasNotYou(notice) })
  }
  const token = stopToken(keys, seed)
  const mail = writeMail(notice, {
    subject,
    paragraphs,
    next: {
      link: pageAddress(siteUrl, { token, type: stopNoticesLinkType }),
      button: 'No recibir más este aviso',
    },
    closing:
      'Recibes este correo porque elegiste este aviso. Para no recibirlo más, abre el enlace y confírmalo; no necesitas iniciar sesión.',
  })
  return { ...mail, unsubscribe: oneClickStopAddress(siteUrl, token) }
}

/**
 * Writes the mail to an administrator about requests that wait for a decision. The mail does not describe the requests.
 */
export function requestMail(notice: Notice & { readonly keys: Pick<Keys, 'links'> }, seed: string): Mail {
  const { brandName, siteUrl, keys } = notice
  const token = stopToken(keys, seed)
  const mail = writeMail(notice, {
    subject: `Hay solicitudes por decidir en ${brandName}`,
    paragraphs: [
      'Al menos una solicitud nueva espera la decisión de un administrador.',
      `Mírala en ${siteUrl}/admin/solicitudes.`,
    ],
    next: {
      link: pageAddress(siteUrl, { token, type: stopRequestNoticesLinkType }),
      button: 'No recibir este aviso durante 30 días',
    },
    closing:
      'Recibes este correo, como máximo una vez por hora, porque eres administrador. Para no recibirlo durante 30 días, abre el enlace y confírmalo; no necesitas iniciar sesión.',
  })
  return { ...mail, unsubscribe: oneClickStopAddress(siteUrl, token) }
}

const othersOf = (earlier: number) =>
  `Desde el último correo sobre este tema hubo ${earlier === 1 ? 'otro aviso' : `otros ${earlier} avisos`}.`

const noticeWords: Readonly<Record<string, string>> = {
  deposit: 'depósitos',
  correction: 'correcciones del banco',
  transfer: 'transferencias',
  large_expense: 'gastos grandes',
  category_limit: 'límites de categorías',
  low_balance: 'saldo bajo',
  statement: 'extractos',
}

function wordsOf(brandName: string, kind: string, detail: string | null) {
  switch (kind) {
    case 'deposit':
      return {
        subject: `Recibiste un depósito en ${brandName}`,
        happened: `${brandName} registró un depósito en tu cuenta.`,
      }
    case 'correction':
      return {
        subject: `Corregimos un movimiento tuyo en ${brandName}`,
        happened: `${brandName} corrigió un movimiento de tu cuenta.`,
      }
    case 'transfer':
      return {
        subject: `Novedades de una transferencia en ${brandName}`,
        happened: transferWords[detail ?? ''] ?? 'Una transferencia tuya cambió de estado.',
      }
    case 'large_expense':
      return {
        subject: `Un gasto superó el monto que elegiste en ${brandName}`,
        happened: `${brandName} registró en tu cuenta un gasto mayor que el monto que elegiste.`,
      }
    case 'category_limit':
      return {
        subject: `Una categoría llegó a su límite en ${brandName}`,
        happened: 'Los gastos del mes de una de tus categorías llegaron a su límite.',
      }
    case 'low_balance':
      return {
        subject: `Tu saldo bajó del monto que elegiste en ${brandName}`,
        happened: 'Tu saldo bajó del monto que elegiste.',
      }
    case 'statement':
      return {
        subject: `Tu extracto de ${monthInWords(detail ?? '')} está listo en ${brandName}`,
        happened: `Ya puedes ver y descargar tu extracto de ${monthInWords(detail ?? '')}.`,
      }
    case 'stopped':
      return {
        subject: `Dejaste de recibir un aviso de ${brandName}`,
        happened: `Alguien abrió el enlace de un correo y dejaste de recibir los avisos sobre ${noticeWords[detail ?? ''] ?? 'tu cuenta'}. Puedes elegirlos otra vez.`,
      }
    case 'new_device':
      return {
        subject: `Entraron a tu cuenta de ${brandName} desde un dispositivo nuevo`,
        happened: `Alguien inició sesión en tu cuenta de ${brandName} desde un dispositivo o una red que no conocíamos.`,
      }
    default:
      throw new Error(`The mail about the event ${kind} has no text.`)
  }
}

const transferWords: Readonly<Record<string, string>> = {
  sent: 'Enviaste una transferencia.',
  received: 'Recibiste una transferencia.',
  declined: 'El banco no aprobó una transferencia tuya.',
  returned: 'El banco devolvió una transferencia.',
  failed: 'Una transferencia tuya no se pudo hacer.',
  expired: 'Una transferencia tuya venció sin que el banco la aprobara.',
}
