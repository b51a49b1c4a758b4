/** Texts that several pages of the administration share. */
export const adminCopy = {
  documentTitle: 'Admin - Finanzas',
  heading: 'Panel de Administración',
  sections: 'Secciones del panel',
  users: 'Usuarios',
  batches: 'Abonos por lote',
  requests: 'Solicitudes',
  audit: 'Registro',
  auditLoading: 'Cargando el registro…',
  status: 'Estado',
  debt: {
    title: 'Lo que el banco debe',
    customers: (customers: number) =>
      `${customers.toLocaleString('es-CO')} ${customers === 1 ? 'cuenta' : 'cuentas'}`,
  },
  search: 'Buscar en el banco',
  showMore: 'Mostrar más',
  goneUser: (id: string) => `Persona ${id.slice(0, 8)}`,
} as const
