export const appCopy = {
  loading: 'Cargando…',
  skipToContent: 'Saltar al contenido',
  mainNavigation: 'Principal',
  bottomNavigation: 'Secciones',
  menu: 'Menú',
  bank: 'Tu banco',
  home: 'Inicio',
  transactions: 'Transacciones',
  accounts: 'Cuentas',
  documents: 'Documentos',
  support: 'Soporte',
  profile: 'Perfil',
  admin: 'Admin',
  signOut: 'Cerrar Sesión',
  signOutFailed: 'Sign out Failed',
  offline: 'Sin conexión. Reconectando…',
  offlineFrom: (moment: string) => `Sin conexión, datos ${articleOf(moment)} ${moment}`,
  figuresFrom: (moment: string) => `Cifras ${articleOf(moment)} ${moment}`,
  failedLinkTitle: 'El enlace ya no es válido',
  failedLinkText: 'Caducó o ya se usó. Tu sesión sigue abierta.',
  awayTitle: 'Sin conexión',
  awayText: 'Esta página aún no está en tu dispositivo. Se abre sola cuando vuelva la conexión.',
  unreachableTitle: 'El banco no responde',
  unreachableText: 'No pudimos traer esta página. Inténtalo de nuevo en un momento; tus datos están a salvo.',
  brokenTitle: 'Algo salió mal',
  brokenText: 'La página no pudo continuar. Tus datos están a salvo.',
  reload: 'Volver a cargar',
} as const

/** Returns the Spanish preposition and article that precede a time of day or a date. */
function articleOf(moment: string): string {
  if (moment.startsWith('1:')) return 'de la'
  return /^\d+:/.test(moment) ? 'de las' : 'del'
}
