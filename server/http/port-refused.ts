/** Explains to the operator why the server cannot listen on a port. */
import { errorCode } from '@finanzas/contract/wire/error-code.ts'

export type PortSetting = { readonly host: string; readonly port: number } & (
  | { readonly portName: 'PORT'; readonly hostName: 'HOST' }
  | { readonly portName: 'METRICS_PORT'; readonly hostName: 'METRICS_HOST' }
)

export class PortRefused extends Error {
  override readonly name = 'PortRefused'
}

/** Calls `open`. Throws `PortRefused` if the call fails because of the host or port in `setting`. */
export async function orPortRefused<T>(setting: PortSetting, open: () => Promise<T>): Promise<T> {
  try {
    return await open()
  } catch (error) {
    const sentence = sentences[errorCode(error)]?.(setting)
    throw sentence === undefined ? error : new PortRefused(sentence, { cause: error })
  }
}

const sentences: Readonly<Record<string, (setting: PortSetting) => string>> = {
  EADDRINUSE: ({ portName, port }) =>
    `Otro programa ya usa el puerto ${port}. Ciérralo, o elige otro puerto: ${portName}=${port + 1} npm start`,
  EACCES: ({ portName, port }) =>
    `El sistema no deja que este usuario use el puerto ${port} (EACCES). Pon en ${portName} uno a partir de 1024.`,
  EADDRNOTAVAIL: ({ hostName, host }) => `${hostName}=${host} no es una dirección de esta máquina.`,
  ENOTFOUND: ({ hostName, host }) => `${hostName}=${host} es un nombre que no lleva a ninguna dirección.`,
}
