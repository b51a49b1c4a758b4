export const uiCopy = {
  close: 'Cerrar',
  retry: 'Reintentar',
  clearSearch: 'Borrar la búsqueda',
  showPassword: 'Mostrar',
  hidePassword: 'Ocultar',
  discardQuestion: '¿Quieres descartar lo que escribiste?',
  toastRegion: 'Notificaciones',
  closeToast: 'Cerrar notificación',
} as const
