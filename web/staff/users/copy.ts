import { countOf, plural } from '#ui/format/count.ts'

/** The largest number of users that the bank counts. A larger number means that there are more. */
const countedMax = 10_000

/** Formats a number of users that the bank counted. */
export function usersInWords(users: number): string {
  return users > countedMax ? moreThan(countedMax) : countOf(users)
}

const moreThan = (users: number) => `más de ${countOf(users)}`

export const usersCopy = {
  loading: 'Cargando usuarios…',
  count: (users: number) => `${usersInWords(users)} ${plural(users, 'usuario', 'usuarios')}`,
  /** If the bank did not count the users, at least one more than these is there. */
  countMore: (shown: number) => `${moreThan(shown)} ${plural(shown, 'usuario', 'usuarios')}`,
  search: 'Buscar usuarios',
  searchHint: 'Nombre, email, rol o id',
  empty: 'No hay usuarios que coincidan con tu búsqueda.',
  noUsers: 'No hay usuarios para mostrar.',
  unread: 'No se pudo actualizar la lista.',
  noFigures: 'No se pudieron leer los saldos.',
  columns: {
    name: 'Usuario',
    email: 'Email',
    role: 'Rol',
    balance: 'Saldo',
    last_transaction: 'Último movimiento',
    last_sign_in: 'Último acceso',
  },
  actions: 'Acciones',
  order: 'Ordenar por',
  filter: 'Mostrar',
  states: {
    all: 'Todos',
    user: 'Clientes',
    admin: 'Administradores',
    overdrawn: (users: string) => `Saldo negativo en el banco${users}`,
    blocked: (users: string) => `Bloqueados${users}`,
    unconfirmed: (users: string) => `Sin confirmar${users}`,
  },
  blocked: 'Bloqueado',
  unconfirmed: 'Sin confirmar',
  keys: {
    move: 'elegir',
    open: 'abrir',
    deposit: 'depósito',
    expense: 'gasto',
    search: 'buscar en el banco',
  },
  more: (name: string) => `Más acciones de ${name}`,
  never: 'Nunca',
  noTransaction: 'Ninguno',
  you: 'Tú',
  newTransaction: 'Transacción',
  newTransactionFor: (name: string) => `Nueva transacción para ${name}`,
  editRole: 'Rol',
  editRoleOf: (name: string) => `Editar rol de ${name}`,
  remove: 'Eliminar',
  removeUser: (name: string) => `Eliminar a ${name}`,
  success: 'Éxito',
  loadFailedTitle: 'Error',
  loadFailedText: 'No se pudieron cargar los usuarios. Es posible que no tengas permisos de administrador.',

  createUser: 'Crear usuario',
  uploadUsers: 'Muchos clientes, desde un archivo',
  fullName: 'Nombre completo',
  email: 'Email',
  password: 'Contraseña',
  passwordHint: (lengthMin: number) => `Usa ${lengthMin} caracteres o más.`,
  role: 'Rol',
  missingFullName: 'Escribe el nombre completo.',
  longFullName: 'Usa 120 caracteres como máximo para el nombre.',
  missingEmail: 'Escribe el email.',
  missingPassword: 'Escribe una contraseña.',
  createdText: 'Usuario creado correctamente.',
  createFailedTitle: 'Error al crear usuario',
  createPurpose: 'crear un administrador',

  roleDialogTitle: 'Editar rol',
  saveRole: 'Guardar',
  roleSavedText: 'Rol de usuario actualizado.',
  roleFailedTitle: 'Error al actualizar rol',
  rolePurpose: 'cambiar un rol',

  removeQuestion: '¿Estás seguro de que quieres eliminar este usuario?',
  removedText: 'Usuario eliminado.',
  removeFailedTitle: 'Error al eliminar',
  removePurpose: 'eliminar este usuario',
} as const
