/**
 * The text of each mail that informs all administrators about an action of one of them. With these mails, an
 * administrator can notice that a session was stolen.
 */
import type { Addressee } from './mail-page.ts'

export type NewsWords = { readonly subject: string; readonly happened: string; readonly closing: string }

/** A staff action in the form that `private.enqueue_staff_notices` stores. */
export type StaffNews = {
  /** Name of the action in the audit log. */
  readonly action: string
  readonly after: Readonly<Record<string, string | null>> | null
  readonly about: {
    /** Origin of the action in the audit log: request, service, operator or system. */
    readonly origin: string
    /**
     * The name of the user who acted, or the user's address if the user has no name; `null` if the action was not an
     * act of a user. `target` is the same for the user concerned.
     */
    readonly actor: string | null
    readonly target: string | null
    readonly was_admin: boolean
  }
}

/** Returns the text for a staff action. Throws for an unknown action. */
export function staffWords(
  { brandName, siteUrl }: Addressee & { readonly siteUrl: string },
  news: StaffNews,
): NewsWords {
  const closing = `Si no sabías de esto, mira el registro de administración en ${siteUrl} y avisa a los demás administradores y al operador del banco.`
  return { ...deedWords(brandName, news), closing }
}

function deedWords(brandName: string, { action, after, about }: StaffNews): Omit<NewsWords, 'closing'> {
  const actor = actorIn(about)
  const target = about.target ?? 'una persona sin nombre'
  switch (action) {
    case 'change_role':
      return after?.['role'] === 'admin'
        ? {
            subject: `Hay un administrador más en ${brandName}`,
            happened: `${actor} le dio el rol de administrador a ${target}.`,
          }
        : {
            subject: `Hay un administrador menos en ${brandName}`,
            happened: `${actor} le quitó el rol de administrador a ${target} y cerró todas sus sesiones.`,
          }
    case 'create_user':
      return {
        subject: `Hay un administrador más en ${brandName}`,
        happened: `${actor} creó una cuenta de administrador para ${target}.`,
      }
    case 'delete_user':
      return {
        subject: `Se eliminó una cuenta de ${about.was_admin ? 'administrador de ' : ''}${brandName}`,
        happened: `${actor} eliminó la cuenta ${about.was_admin ? 'de administrador ' : ''}de ${target}.`,
      }
    case 'ban_user':
      return {
        subject: `Se bloqueó a un administrador de ${brandName}`,
        happened: `${actor} bloqueó la cuenta de administrador de ${target} y cerró todas sus sesiones.`,
      }
    case 'register_transaction':
    case 'correct_transaction':
    case 'register_batch':
    case 'reverse_batch':
      return {
        subject: `Un administrador de ${brandName} registró un movimiento propio`,
        happened: `${actor} ${deeds[action]} por ${amountIn(after)}.`,
      }
    default:
      throw new Error(`The mail to administrators about ${action} has no text.`)
  }
}

const deeds = {
  register_transaction: 'registró un movimiento en su propia cuenta',
  correct_transaction: 'corrigió un movimiento de su propia cuenta',
  register_batch: 'ordenó un lote con abonos a su propia cuenta',
  reverse_batch: 'revirtió un lote con abonos a su propia cuenta',
} as const

function actorIn({ origin, actor }: StaffNews['about']): string {
  if (actor !== null) return actor
  return origin === 'operator' ? 'El operador del banco' : 'Un programa del banco'
}

/**
 * Formats an amount, for example `1.250.000,50`. Like the ledger, the text has no currency sign, because all amounts
 * are in the bank's own currency.
 */
function amountIn(after: StaffNews['after']): string {
  return Number(after?.['amount'] ?? 0).toLocaleString('es-CO', { minimumFractionDigits: 2 })
}
