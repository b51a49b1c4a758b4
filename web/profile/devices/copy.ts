import { plural } from '#ui/format/count.ts'

/** Separate from the profile's copy.ts, so that the page does not wait for these strings. */
export const devicesCopy = {
  list: 'Dispositivos con tu sesión abierta',
  present: 'Este dispositivo',
  presentUse: 'En uso ahora',
  lastUse: (ago: string) => `Último uso: ${ago}`,
  /** The time is precise only to the hour, because an open page refreshes its token once an hour. */
  lastHour: 'en la última hora',
  began: (when: string) => `Desde el ${when}`,
  sameNetwork: 'misma red que este dispositivo',
  network: (address: string) => `red ${address}`,
  unknownDevice: 'Dispositivo desconocido',
  end: 'Cerrar',
  endOf: (device: string) => `Cerrar la sesión de ${device}`,
  ended: 'Sesión cerrada',
  endedText: (device: string) => `${device} tendrá que iniciar sesión otra vez.`,
  endOthers: 'Cerrar las demás sesiones',
  othersEnded: 'Cerramos las demás sesiones',
  onlyThis: 'Solo este dispositivo tiene tu sesión abierta.',
  failedTitle: 'No se pudo cerrar la sesión',
  failedText: 'Inténtalo de nuevo en un momento.',
  more: (sessions: number) => plural(sessions, 'Ver una más', `Ver ${sessions} más`),
  hint: '¿No reconoces alguno? Cierra su sesión y cambia tu contraseña.',
} as const

export const passwordCopy = {
  title: 'Cambiar contraseña',
  text: 'Al cambiarla cerramos tus demás sesiones.',
  current: 'Contraseña actual',
  next: 'Contraseña nueva',
  repeated: 'Repite la contraseña nueva',
  hint: (lengthMin: number) => `Usa ${lengthMin} caracteres o más.`,
  missingCurrent: 'Escribe tu contraseña actual.',
  missingNext: 'Escribe la contraseña nueva.',
  different: 'Las dos contraseñas no son iguales.',
  wrongCurrent: 'La contraseña actual no es correcta.',
  missingCode: 'Escribe el código de seis dígitos.',
  wrongCode: 'El código no es correcto, ya se usó o caducó.',
  byCode: 'Te enviamos un código por correo. Escríbelo aquí en lugar de la contraseña actual.',
  submit: 'Guardar contraseña',
  doneTitle: 'Contraseña cambiada',
  doneText: 'Cerramos las demás sesiones y te avisamos por correo.',
  failed: 'No se pudo cambiar la contraseña',
  tryAgain: 'Inténtalo de nuevo en un momento.',
} as const
