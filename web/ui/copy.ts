export const uiCopy = {
  close: 'Cerrar',
  openFailedTitle: 'No se pudo abrir',
  retry: 'Reintentar',
  clearSearch: 'Borrar la búsqueda',
  filters: 'Filtros',
  activeFilters: (filters: number) => (filters === 1 ? ' activo' : ' activos'),
  showPassword: 'Mostrar',
  hidePassword: 'Ocultar',
  toastRegion: 'Notificaciones',
  closeToast: 'Cerrar notificación',
  notImplementedTitle: 'Función no implementada',
  notImplementedText: 'Estará disponible pronto.',
} as const
