import { counted } from '#ui/format/count.ts'

/** Texts that several pages of the administration share. */
export const adminCopy = {
  documentTitle: 'Admin - Finanzas',
  heading: 'Panel de Administración',
  sections: 'Secciones del panel',
  users: 'Usuarios',
  audit: 'Registro',
  /** Shown while the code of a section is loaded. */
  loading: {
    today: 'Cargando el trabajo de hoy…',
    audit: 'Cargando el registro…',
    debt: 'Cargando lo que el banco debe…',
  },
  debt: {
    title: 'Lo que el banco debe',
    customers: (customers: number) => counted(customers, 'cuenta', 'cuentas'),
  },
  search: 'Buscar en el banco',
  showMore: 'Mostrar más',
  goneUser: (id: string) => `Persona ${id.slice(0, 8)}`,
} as const

/** The links in the heading of every page for administrators, in their order. */
export const adminSections = [
  { section: 'today', to: '/admin?vista=hoy', label: 'Hoy' },
  { section: 'users', to: '/admin', label: adminCopy.users },
  { section: 'batches', to: '/admin/abonos', label: 'Abonos por lote' },
  { section: 'requests', to: '/admin/solicitudes', label: 'Solicitudes', news: '/admin' },
  { section: 'audit', to: '/admin?vista=registro', label: adminCopy.audit },
  { section: 'status', to: '/admin/estado', label: 'Estado' },
] as const
