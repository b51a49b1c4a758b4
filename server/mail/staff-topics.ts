/**
 * The texts that inform all administrators about an act of one of them (`private.tell_staff`). With these mails, an
 * administrator can notice that a session was stolen.
 */
import { minorFromDecimal } from '@finanzas/contract/money.ts'
import { money } from '@finanzas/contract/papers/facts.ts'
import { type News, act } from './news.ts'

type Deed = { readonly subject: string; readonly happened: string }

const staff = (deedOf: (news: News) => Deed) =>
  act((news) => ({
    ...deedOf(news),
    closing: `Si no sabías de esto, mira el registro de administración en ${news.siteUrl} y avisa a los demás administradores y al operador del banco.`,
  }))

const own = (deed: string) =>
  staff((news) => ({
    subject: `Un administrador de ${news.brandName} registró un movimiento propio`,
    happened: `${actorIn(news)} ${deed} por ${amountIn(news)}.`,
  }))

export const staffTopics = {
  staff_change_role: staff((news) =>
    news.facts['role'] === 'admin'
      ? {
          subject: `Hay un administrador más en ${news.brandName}`,
          happened: `${actorIn(news)} le dio el rol de administrador a ${targetIn(news)}.`,
        }
      : {
          subject: `Hay un administrador menos en ${news.brandName}`,
          happened: `${actorIn(news)} le quitó el rol de administrador a ${targetIn(news)} y cerró todas sus sesiones.`,
        },
  ),
  staff_create_user: staff((news) => ({
    subject: `Hay un administrador más en ${news.brandName}`,
    happened: `${actorIn(news)} creó una cuenta de administrador para ${targetIn(news)}.`,
  })),
  staff_delete_user: staff((news) => {
    const wasAdmin = news.facts['was_admin'] === true
    return {
      subject: `Se eliminó una cuenta de ${wasAdmin ? 'administrador de ' : ''}${news.brandName}`,
      happened: `${actorIn(news)} eliminó la cuenta ${wasAdmin ? 'de administrador ' : ''}de ${targetIn(news)}.`,
    }
  }),
  staff_ban_user: staff((news) => ({
    subject: `Se bloqueó a un administrador de ${news.brandName}`,
    happened: `${actorIn(news)} bloqueó la cuenta de administrador de ${targetIn(news)} y cerró todas sus sesiones.`,
  })),
  staff_register_transaction: own('registró un movimiento en su propia cuenta'),
  staff_correct_transaction: own('corrigió un movimiento de su propia cuenta'),
  staff_register_batch: own('ordenó un lote con abonos a su propia cuenta'),
  staff_reverse_batch: own('revirtió un lote con abonos a su propia cuenta'),
}

/** The name of the user who acted, or the user's address if the user has no name. */
function actorIn({ facts: { actor, origin } }: News): string {
  if (typeof actor === 'string') return actor
  return origin === 'operator' ? 'El operador del banco' : 'Un programa del banco'
}

const targetIn = ({ facts: { target } }: News) =>
  typeof target === 'string' ? target : 'una persona sin nombre'

function amountIn({ facts: { amount }, displayCurrency: currency }: News): string {
  const minor = minorFromDecimal(String(amount))
  if (minor === null) throw new Error('The notice has no amount.')
  return money(minor, { currency })
}
