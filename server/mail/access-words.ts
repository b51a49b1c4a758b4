/** The text of each mail that informs a user about something that the bank did to the user's account. */
import { cancelAddressLinkType, confirmAddressLinkType } from '@finanzas/contract/access/mailed-link.ts'
import { addressChangeToken } from '#tokens/address-change.ts'
import type { Keys } from '#tokens/keys.ts'
import { pageAddress } from './link-address.ts'
import type { NewsWords } from './staff-words.ts'
import { type Notice, ifItWasNotYou, moment, tellTheBank } from './templates.ts'

type AccessWords = NewsWords & {
  /** A link to follow, if the mail has one. */
  readonly next?: { readonly link: string; readonly button: string }
}

/** Returns the text of the mail about an action on the recipient's account. Throws if no mail exists for the action. */
export function accessWords(
  notice: Notice & { readonly keys: Pick<Keys, 'links'> },
  action: string,
  after: Readonly<Record<string, string | null>>,
): AccessWords {
  const { brandName, siteUrl, supportContact, keys } = notice
  const newEmail = after['email'] ?? ''
  const seed = after['seed'] ?? ''
  const countsAt = new Date(after['counts_at'] ?? Number.NaN)
  const theBank = supportContact === '' ? 'el banco.' : `el banco: ${supportContact}.`
  const unexpected = `Si no sabes por qué, habla con ${theBank}`
  switch (action) {
    case 'ban_user': {
      // The mail gives a reason only for a block that the customer requested.
      const isOwnWish = after['reason'] === 'customer_request'
      return {
        subject: `Bloqueamos tu cuenta de ${brandName}`,
        happened: `${brandName} bloqueó tu cuenta ${untilWhen(after['banned_until'] ?? null)} y cerró todas tus sesiones${isOwnWish ? ', como lo pediste' : ''}. Tu saldo y tus movimientos siguen como estaban.`,
        closing: isOwnWish
          ? `Si no lo pediste, o para desbloquearla, habla con ${theBank}`
          : `Para saber por qué, habla con ${theBank}`,
      }
    }
    case 'unban_user':
      return {
        subject: `Tu cuenta de ${brandName} está desbloqueada`,
        happened: `${brandName} desbloqueó tu cuenta. Ya puedes iniciar sesión en ${siteUrl}.`,
        closing: unexpected,
      }
    case 'revoke_sessions':
      return {
        subject: `Cerramos tus sesiones en ${brandName}`,
        happened: `${brandName} cerró todas las sesiones de tu cuenta. Para entrar otra vez, inicia sesión en ${siteUrl} con tu contraseña.`,
        closing: unexpected,
      }
    case 'reset_factor':
      return {
        subject: `Quitamos la verificación en dos pasos de tu cuenta en ${brandName}`,
        happened: `${brandName} quitó la verificación en dos pasos de tu cuenta y cerró todas tus sesiones. Desde ahora entras solo con tu contraseña; puedes activarla otra vez en tu perfil.`,
        closing: `Si no se lo pediste al banco: abre ${siteUrl}, elige «¿Olvidaste tu contraseña?» y crea otra. ${tellTheBank(supportContact)}`,
      }
    case 'correct_holder':
      return {
        subject: `Corregimos tus datos en ${brandName}`,
        happened: `${brandName} corrigió tu nombre, tu documento o tu teléfono. En ${siteUrl}, «Descargar mis datos» muestra qué cambió.`,
        closing: `Si algo no está bien, habla con ${theBank}`,
      }
    case 'change_role':
      return after['role'] === 'admin'
        ? {
            subject: `Ahora eres administrador de ${brandName}`,
            happened: `${brandName} le dio a tu cuenta el rol de administrador. Los enlaces y códigos que te habíamos enviado ya no sirven.`,
            closing: `Si no lo esperabas, habla con ${theBank}`,
          }
        : {
            subject: `Ya no eres administrador de ${brandName}`,
            happened: `${brandName} le quitó a tu cuenta el rol de administrador y cerró todas tus sesiones. Puedes entrar otra vez como cliente.`,
            closing: unexpected,
          }
    case 'delete_user':
      return {
        subject: `Eliminamos tu cuenta de ${brandName}`,
        happened: `${brandName} eliminó tu cuenta y cerró todas tus sesiones.`,
        closing: `Para saber por qué, habla con ${theBank}`,
      }
    case 'begin_email_change':
      return {
        subject: `Vamos a cambiar el email de tu cuenta en ${brandName}`,
        happened: `${brandName} pidió cambiar el email de tu cuenta por ${newEmail}. El cambio empieza a valer el ${moment(countsAt)}, si antes alguien lo confirma desde ${newEmail}; o cuando lo aceptes tú, con tu contraseña. Si no lo pediste, cancélalo con este enlace antes de esa fecha.`,
        next: {
          link: pageAddress(siteUrl, {
            token: addressChangeToken(keys, 'cancel', seed),
            type: cancelAddressLinkType,
          }),
          button: 'Cancelar el cambio',
        },
        closing: `Si no lo pediste, habla también con ${theBank}`,
      }
    case 'confirm_email_change':
      return {
        subject: `Confirma que este email es tuyo en ${brandName}`,
        happened: `${brandName} pidió que una cuenta use este email. Si es la tuya, confírmalo con este enlace antes del ${moment(countsAt)}. El enlace no abre la cuenta: el cambio empieza a valer ese día, o antes si lo aceptas en tu perfil con tu contraseña.`,
        next: {
          link: pageAddress(siteUrl, {
            token: addressChangeToken(keys, 'confirm', seed),
            type: confirmAddressLinkType,
          }),
          button: 'Confirmar este email',
        },
        closing: 'Si no lo esperabas, ignora este correo: la cuenta se queda como está.',
      }
    case 'many_sessions':
      return {
        subject: `Tu cuenta de ${brandName} tiene muchas sesiones abiertas`,
        happened: `Tu cuenta de ${brandName} tiene 20 sesiones abiertas o más. Al pasar de 50 cerramos las más antiguas. En tu perfil, en «Dispositivos y contraseña», puedes verlas y cerrarlas.`,
        closing: ifItWasNotYou(notice),
      }
    case 'set_email':
      return {
        subject: `El email de tu cuenta en ${brandName} cambió`,
        happened: `Desde ahora entras a tu cuenta de ${brandName} con ${newEmail}. Este email ya no sirve para entrar.`,
        closing: `Si no lo pediste, habla ya con ${theBank}`,
      }
    case 'cancel_email_change':
      return {
        subject: `Cancelamos el cambio de email de tu cuenta en ${brandName}`,
        happened: `${brandName} canceló el cambio de email que esperaba en tu cuenta. Sigues entrando con este email.`,
        closing: unexpected,
      }
    case 'transfer_waits':
      return {
        subject: `Tu transferencia en ${brandName} espera una aprobación`,
        happened: `Desde tu cuenta se pidió una transferencia que supera el monto que ${brandName} envía sin revisar. Un administrador debe aprobarla. Mientras espera, puedes verla y cancelarla en ${siteUrl}, en «Transferencias».`,
        closing: `Si no la pediste: cancélala, elige «¿Olvidaste tu contraseña?» y crea otra. ${tellTheBank(supportContact)}`,
      }
    default:
      throw new Error(`The mail about the action ${action} has no text.`)
  }
}

/** Returns when a block ends. For a permanent block, the database stores a date in a hundred years (`private.block_user`). */
function untilWhen(bannedUntil: string | null): string {
  const end = new Date(bannedUntil ?? Number.NaN)
  const isForGood = Number.isNaN(end.getTime()) || end.getTime() > Date.now() + 50 * 365.25 * 86_400_000
  return isForGood ? 'hasta nuevo aviso' : `hasta el ${moment(end)}`
}
