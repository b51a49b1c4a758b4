/** The texts that inform a user about something that the bank did to the user's account. */
import { momentInWords } from '@finanzas/contract/format/bogota.ts'
import { cancelAddressLinkType, confirmAddressLinkType } from '@finanzas/contract/people/mailed-link.ts'
import { addressChangeToken } from '#tokens/address-change.ts'
import { pageAddress } from './link-address.ts'
import { ifItWasNotYou, tellTheBank } from './templates.ts'
import { type News, act } from './news.ts'

const theBank = ({ supportContact }: News) =>
  supportContact === '' ? 'el banco.' : `el banco: ${supportContact}.`
const unexpected = (news: News) => `Si no sabes por qué, habla con ${theBank(news)}`
const textOf = ({ facts }: News, fact: string) => String(facts[fact] ?? '')
const timeOf = (news: News, fact: string) => new Date(textOf(news, fact))

export const personTopics = {
  ban_user: act((news) => {
    // The mail gives a reason only for a block that the customer requested.
    const isOwnWish = news.facts['reason'] === 'customer_request'
    return {
      subject: `Bloqueamos tu cuenta de ${news.brandName}`,
      happened: `${news.brandName} bloqueó tu cuenta ${untilWhen(timeOf(news, 'banned_until'))} y cerró todas tus sesiones${isOwnWish ? ', como lo pediste' : ''}. Tu saldo y tus movimientos siguen como estaban.`,
      closing: isOwnWish
        ? `Si no lo pediste, o para desbloquearla, habla con ${theBank(news)}`
        : `Para saber por qué, habla con ${theBank(news)}`,
    }
  }),
  unban_user: act((news) => ({
    subject: `Tu cuenta de ${news.brandName} está desbloqueada`,
    happened: `${news.brandName} desbloqueó tu cuenta. Ya puedes iniciar sesión en ${news.siteUrl}.`,
    closing: unexpected(news),
  })),
  revoke_sessions: act((news) => ({
    subject: `Cerramos tus sesiones en ${news.brandName}`,
    happened: `${news.brandName} cerró todas las sesiones de tu cuenta. Para entrar otra vez, inicia sesión en ${news.siteUrl} con tu contraseña.`,
    closing: unexpected(news),
  })),
  reset_factor: act((news) => ({
    subject: `Quitamos la verificación en dos pasos de tu cuenta en ${news.brandName}`,
    happened: `${news.brandName} quitó la verificación en dos pasos de tu cuenta y cerró todas tus sesiones. Desde ahora entras solo con tu contraseña; puedes activarla otra vez en tu perfil.`,
    closing: `Si no se lo pediste al banco: abre ${news.siteUrl}, elige «¿Olvidaste tu contraseña?» y crea otra. ${tellTheBank(news.supportContact)}`,
  })),
  correct_holder: act((news) => ({
    subject: `Corregimos tus datos en ${news.brandName}`,
    happened: `${news.brandName} corrigió tu nombre, tu documento o tu teléfono. En ${news.siteUrl}, «Descargar mis datos» muestra qué cambió.`,
    closing: `Si algo no está bien, habla con ${theBank(news)}`,
  })),
  change_role: act((news) =>
    news.facts['role'] === 'admin'
      ? {
          subject: `Ahora eres administrador de ${news.brandName}`,
          happened: `${news.brandName} le dio a tu cuenta el rol de administrador. Los enlaces y códigos que te habíamos enviado ya no sirven.`,
          closing: `Si no lo esperabas, habla con ${theBank(news)}`,
        }
      : {
          subject: `Ya no eres administrador de ${news.brandName}`,
          happened: `${news.brandName} le quitó a tu cuenta el rol de administrador y cerró todas tus sesiones. Puedes entrar otra vez como cliente.`,
          closing: unexpected(news),
        },
  ),
  delete_user: act((news) => ({
    subject: `Eliminamos tu cuenta de ${news.brandName}`,
    happened: `${news.brandName} eliminó tu cuenta y cerró todas tus sesiones.`,
    closing: `Para saber por qué, habla con ${theBank(news)}`,
  })),
  begin_email_change: act((news) => ({
    subject: `Vamos a cambiar el email de tu cuenta en ${news.brandName}`,
    happened: `${news.brandName} pidió cambiar el email de tu cuenta por ${textOf(news, 'email')}. El cambio empieza a valer el ${momentInWords(timeOf(news, 'counts_at'))}, si antes alguien lo confirma desde ${textOf(news, 'email')}; o cuando lo aceptes tú, con tu contraseña. Si no lo pediste, cancélalo con este enlace antes de esa fecha.`,
    next: {
      link: pageAddress(news.siteUrl, {
        token: addressChangeToken(news.keys, 'cancel', textOf(news, 'seed')),
        type: cancelAddressLinkType,
      }),
      button: 'Cancelar el cambio',
    },
    closing: `Si no lo pediste, habla también con ${theBank(news)}`,
  })),
  confirm_email_change: act((news) => ({
    subject: `Confirma que este email es tuyo en ${news.brandName}`,
    happened: `${news.brandName} pidió que una cuenta use este email. Si es la tuya, confírmalo con este enlace antes del ${momentInWords(timeOf(news, 'counts_at'))}. El enlace no abre la cuenta: el cambio empieza a valer ese día, o antes si lo aceptas en tu perfil con tu contraseña.`,
    next: {
      link: pageAddress(news.siteUrl, {
        token: addressChangeToken(news.keys, 'confirm', textOf(news, 'seed')),
        type: confirmAddressLinkType,
      }),
      button: 'Confirmar este email',
    },
    closing: 'Si no lo esperabas, ignora este correo: la cuenta se queda como está.',
  })),
  many_sessions: act((news) => ({
    subject: `Tu cuenta de ${news.brandName} tiene muchas sesiones abiertas`,
    happened: `Tu cuenta de ${news.brandName} tiene 20 sesiones abiertas o más. Al pasar de 50 cerramos las más antiguas. En tu perfil, en «Dispositivos y contraseña», puedes verlas y cerrarlas.`,
    closing: ifItWasNotYou(news),
  })),
  set_email: act((news) => ({
    subject: `El email de tu cuenta en ${news.brandName} cambió`,
    happened: `Desde ahora entras a tu cuenta de ${news.brandName} con ${textOf(news, 'email')}. Este email ya no sirve para entrar.`,
    closing: `Si no lo pediste, habla ya con ${theBank(news)}`,
  })),
  cancel_email_change: act((news) => ({
    subject: `Cancelamos el cambio de email de tu cuenta en ${news.brandName}`,
    happened: `${news.brandName} canceló el cambio de email que esperaba en tu cuenta. Sigues entrando con este email.`,
    closing: unexpected(news),
  })),
  transfer_waits: act((news) => ({
    subject: `Tu transferencia en ${news.brandName} espera una aprobación`,
    happened: `Desde tu cuenta se pidió una transferencia que supera el monto que ${news.brandName} envía sin revisar. Un administrador debe aprobarla. Mientras espera, puedes verla y cancelarla en ${news.siteUrl}, en «Transferencias».`,
    closing: `Si no la pediste: cancélala, elige «¿Olvidaste tu contraseña?» y crea otra. ${tellTheBank(news.supportContact)}`,
  })),
}

/** Returns when a block ends. For a permanent block, the database stores a date in a hundred years (`private.block_user`). */
function untilWhen(end: Date): string {
  const isForGood = Number.isNaN(end.getTime()) || end.getTime() > Date.now() + 50 * 365.25 * 86_400_000
  return isForGood ? 'hasta nuevo aviso' : `hasta el ${momentInWords(end)}`
}
