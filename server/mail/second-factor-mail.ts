import type { Mail } from './mailer.ts'
import { type Addressee, writeMail } from './mail-page.ts'

/** What happened to somebody's second factors. */
export type FactorEvent = 'app added' | 'app removed' | 'recovery code used'

const words: Readonly<Record<FactorEvent, (brandName: string) => { subject: string; happened: string }>> = {
  'app added': (brandName) => ({
    subject: `Agregaste una aplicación de autenticación en ${brandName}`,
    happened: `Tu cuenta de ${brandName} acaba de recibir una aplicación de autenticación. Desde ahora te pediremos su código al iniciar sesión.`,
  }),
  'app removed': (brandName) => ({
    subject: `Quitaste una aplicación de autenticación de ${brandName}`,
    happened: `Tu cuenta de ${brandName} ya no usa una de sus aplicaciones de autenticación.`,
  }),
  'recovery code used': (brandName) => ({
    subject: `Alguien usó un código de recuperación en ${brandName}`,
    happened: `Alguien acaba de entrar a tu cuenta de ${brandName} con uno de tus códigos de recuperación. Ese código ya no sirve.`,
  }),
}

/** Tells the owner of an account what happened to its second factors. It holds no link, so that nobody learns to follow one. */
export function secondFactorMail(addressee: Addressee & { readonly event: FactorEvent }): Mail {
  const { subject, happened } = words[addressee.event](addressee.brandName)
  return writeMail(addressee, {
    subject,
    paragraphs: [happened],
    next: null,
    closing:
      'Si no fuiste tú, cambia tu contraseña, cierra todas tus sesiones desde tu perfil y avísale al banco.',
  })
}
