/** What every mail about an account's security says: when and where it happened, and what to do about it today. */
import { deviceName } from './device-name.ts'
import type { Addressee } from './mail-page.ts'

/** When something happened, and in which browser; `null` where it was none of the owner's. */
export type Incident = { readonly at: Date; readonly userAgent: string | null }

/** Whom a mail about an account's security goes to, and what it needs to give advice. */
export type Notice = Addressee & {
  readonly siteUrl: string
  /** How the bank is reached, in its own words; empty where the operator has not said. */
  readonly supportContact: string
  readonly incident: Incident
}

/** For example `Fecha: 22 de noviembre de 2026, 6:08 a. m., hora de Colombia. Dispositivo: Chrome en Linux.` */
export function whenAndWhere({ incident: { at, userAgent } }: Notice): string {
  const when = `Fecha: ${moment(at)}.`
  return userAgent === null ? when : `${when} Dispositivo: ${deviceName(userAgent)}.`
}

/** The way that closes every session and locks out who knows the password, and whom to tell. */
export function ifItWasNotYou({ siteUrl, supportContact }: Notice): string {
  return `Si no fuiste tú: abre ${siteUrl}, elige «¿Olvidaste tu contraseña?» y crea otra; eso cierra todas las sesiones. ${tellTheBank(supportContact)}`
}

/** Whom to tell, beside what else the mail asks for. */
export function tellTheBank(supportContact: string): string {
  return supportContact === '' ? 'Luego avísale al banco.' : `Luego avísale al banco: ${supportContact}.`
}

/** For example `22 de noviembre de 2026, 6:08 a. m., hora de Colombia`. */
export function moment(at: Date): string {
  const zone = { timeZone: 'America/Bogota' }
  const day = at.toLocaleDateString('es-CO', { ...zone, dateStyle: 'long' })
  const time = at.toLocaleTimeString('es-CO', { ...zone, timeStyle: 'short' })
  // The library puts spaces there that do not break.
  return `${day}, ${time.replaceAll(/\s/g, ' ')}, hora de Colombia`
}
