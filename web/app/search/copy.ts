export const searchCopy = {
  title: 'Buscar',
  hint: 'Página, beneficiario o movimiento',
  begins: 'Escribe a dónde quieres ir, a quién le envías o qué pagaste.',
  searching: 'Buscando…',
  failed: 'No pudimos buscar en tus movimientos.',
  opens: (result: string) => `Intro abre «${result}».`,
  pages: 'Páginas',
  payees: 'Beneficiarios',
  transactions: 'Movimientos',
  transferTo: 'Nueva transferencia',
  allLike: (typed: string) => `Buscar «${typed}» en todo el historial`,
} as const
