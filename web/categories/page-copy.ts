import { categorizationCopy } from './copy.ts'
import { ruleCopy } from './rule-copy.ts'

export const categoriesCopy = {
  documentTitle: 'Categorías - Finanzas',
  heading: 'Categorías y reglas',
  loading: 'Cargando…',
  unread: 'No se pudieron cargar tus categorías.',
  failedText: 'Inténtalo de nuevo en un momento.',

  ownTitle: 'Tus categorías',
  add: 'Añadir categoría',
  none: 'Aún no tienes categorías propias. Las que añadas se ofrecen junto a las del banco.',
  theBanks: (names: string) => `Las del banco: ${names}.`,
  name: 'Nombre',
  missingName: 'Escribe un nombre.',
  bankWords: ['Depósitos', 'Corrección', categorizationCopy.noCategory, categorizationCopy.bankCharges],
  takenName: 'Ya hay una categoría con ese nombre.',
  bankWord: 'Esa palabra la usa el banco. Elige otra.',
  goneCategory: 'Esta categoría ya no existe: se eliminó en otra página.',
  tooMany: 'Caben 100 categorías propias. Elimina alguna antes.',
  save: 'Guardar',
  addedTitle: 'Categoría añadida',
  addFailedTitle: 'No se pudo añadir la categoría',
  rename: (name: string) => `Renombrar ${name}`,
  renameTitle: 'Renombrar categoría',
  renameText: (count: number) =>
    count === 0 ? '' : `${capital(ruleCopy.movements(count))} de tu historial toman el nombre nuevo.`,
  renamedTitle: 'Categoría renombrada',
  renameFailedTitle: 'No se pudo renombrar la categoría',
  tooManyMovements: 'Tiene más de 10.000 movimientos, y no se pueden cambiar a la vez. No se renombró nada.',
  remove: (name: string) => `Eliminar ${name}`,
  removeQuestion: (name: string, count: number) =>
    `¿Eliminar la categoría «${name}»? ${
      count === 0 ? '' : `${capital(ruleCopy.movements(count))} de tu historial conservan su nombre. `
    }Sus reglas se eliminan con ella.`,
  removeConfirmed: 'Eliminar',
  removedTitle: 'Categoría eliminada',
  removeFailedTitle: 'No se pudo eliminar',

  rulesTitle: 'Reglas',
  rulesText: 'Se prueban en este orden. La primera que coincide con la descripción propone la categoría.',
  addRule: 'Añadir regla',
  noRules:
    'Aún no tienes reglas. También puedes crearlas al cambiar la categoría de un movimiento: «Siempre: Éxito → Comida».',
  list: 'Tus reglas, en orden',
  ruleTitle: 'Regla',
  contains: 'Si la descripción contiene',
  containsHint: 'Mayúsculas y tildes no cuentan.',
  shortText: 'Escribe al menos dos caracteres.',
  category: 'Va a la categoría',
  noCategory: 'Elige una categoría',
  missingCategory: 'Elige una categoría.',
  tooManyRules: 'Caben 200 reglas. Elimina alguna antes.',
  goneRule: 'Esta regla ya no existe: se eliminó en otra página.',
  takenText: 'Ya hay una regla con ese texto.',
  ruleFailedTitle: 'No se pudo guardar la regla',
  arrow: '→',
  ruleName: (text: string, category: string) => `${text} → ${category}`,
  up: (rule: string) => `Subir ${rule}`,
  down: (rule: string) => `Bajar ${rule}`,
  place: (rule: string, place: number, count: number) => `${rule}: lugar ${place} de ${count}`,
  edit: (rule: string) => `Editar ${rule}`,
  removeRule: (rule: string) => `Eliminar ${rule}`,
  ruleRemovedTitle: 'Regla eliminada',
  applied: (count: number) => `Aplicada a ${ruleCopy.movements(count)}`,
  undo: 'Deshacer',
  undoOf: (rule: string) => `Deshacer lo que cambió ${rule}`,
} as const

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
