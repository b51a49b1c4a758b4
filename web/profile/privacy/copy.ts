/** A file in the data export: its name, and the first line, which describes the content. */
type Sheet = { name: string; about: string }

const sheets: Readonly<Record<string, Sheet>> = {
  'public.transactions': { name: 'movimientos', about: 'Tus movimientos, del más reciente al más antiguo.' },
  'public.journal_entries': {
    name: 'registro',
    about: 'El registro de tu saldo: cada vez que cambió, en orden, con el sello que permite verificarlo.',
  },
  'public.budgets': { name: 'saldo-y-presupuesto', about: 'Tu saldo y tu presupuesto mensual.' },
  'public.corrections': { name: 'correcciones', about: 'Los movimientos que el banco corrigió, y por qué.' },
  'public.imports': { name: 'importaciones', about: 'Los archivos de gastos que importaste.' },
  'public.import_lines': {
    name: 'importaciones-lineas',
    about: 'Cada gasto que importaste, como venía en el archivo.',
  },
  'public.batch_lines': {
    name: 'abonos-por-lote',
    about: 'Los abonos que el banco te hizo junto con los de otras personas.',
  },
  'public.recurring_expenses': {
    name: 'pagos-recurrentes',
    about: 'Tus pagos recurrentes, también los que terminaste o descartaste.',
  },
  'public.recurring_occurrences': {
    name: 'pagos-recurrentes-dias',
    about: 'Los días en que tocaba cada pago recurrente y el movimiento que quedó.',
  },
  'public.requests': { name: 'transferencias', about: 'Las transferencias que pediste y cómo terminaron.' },
  'public.beneficiaries': { name: 'beneficiarios', about: 'Las personas a las que puedes transferir.' },
  'private.aliases': { name: 'llaves', about: 'Tu llave para recibir dinero, y las que tuviste antes.' },
  'private.transfer_limits': {
    name: 'limites-de-transferencias',
    about: 'Los límites que te pusiste para transferir.',
  },
  'public.notification_preferences': {
    name: 'avisos-elegidos',
    about: 'Los avisos que elegiste y desde qué monto.',
  },
  'public.notifications': { name: 'avisos', about: 'Los avisos que el banco te dio en los últimos 90 días.' },
  'private.notices': {
    name: 'avisos-por-dar',
    about: 'Lo que pasó en tu cuenta y el banco aún no te ha avisado, y el último extracto que te avisó.',
  },
  'private.notice_marks': {
    name: 'avisos-por-correo',
    about: 'El último correo de cada tipo de aviso, sin su enlace.',
  },
  'private.access_acts': {
    name: 'cambios-de-acceso',
    about: 'Cuándo abrió el banco tu cuenta, o cambió tus datos o tu acceso, en los últimos 90 días.',
  },
  'private.staff_passwords': {
    name: 'clave-del-banco',
    about: 'Si el banco escribió tu contraseña y aún no has elegido otra con un enlace.',
  },
  'private.known_devices': {
    name: 'dispositivos-conocidos',
    about: 'Cuándo entraste por última vez desde cada dispositivo conocido.',
  },
  'public.profiles': { name: 'perfil', about: 'Tu nombre y tu rol.' },
  'public.account_holders': {
    name: 'numero-de-cuenta',
    about:
      'El número de tu cuenta, y el nombre verificado, el documento y el teléfono que el banco tiene de ti.',
  },
  'public.holder_corrections': {
    name: 'correcciones-de-datos',
    about: 'Las veces que el banco corrigió tu nombre, tu documento o tu teléfono.',
  },
  'public.user_safe': {
    name: 'correo',
    about: 'Tu correo y tu último ingreso, como los ve un administrador.',
  },
  'auth.users': { name: 'cuenta', about: 'Tu cuenta.' },
  'auth.identities': { name: 'identidades', about: 'Las formas en las que entras a tu cuenta.' },
  'auth.sessions': { name: 'sesiones', about: 'Los dispositivos en los que tu sesión está abierta.' },
  'auth.one_time_tokens': {
    name: 'enlaces',
    about: 'Los enlaces y códigos enviados a tu correo, sin su secreto.',
  },
  'auth.flow_state': { name: 'ingresos', about: 'Los ingresos que empezaron y no han terminado.' },
  'auth.mfa_factors': {
    name: 'segundo-factor',
    about: 'Tus aplicaciones de autenticación y llaves de acceso, sin su clave.',
  },
  'auth.address_changes': {
    name: 'cambio-de-email',
    about: 'El cambio de email que el banco pidió para tu cuenta, sin su secreto.',
  },
  'auth.known_networks': { name: 'redes', about: 'Las redes desde las que entraste.' },
  'public.categories': { name: 'categorias', about: 'Tus categorías propias.' },
  'public.category_budgets': {
    name: 'presupuesto-por-categoria',
    about: 'Tus límites por categoría, y desde qué mes rigen.',
  },
  'public.category_rules': { name: 'reglas', about: 'Tus reglas: qué gastos van a cada categoría.' },
  'ledger.deleted_transactions': {
    name: 'movimientos-eliminados',
    about: 'Los movimientos que eliminaste en las últimas 24 horas.',
  },
  'public.transaction_edits': {
    name: 'cambios-de-movimientos',
    about: 'Los cambios que hiciste en los textos de tus movimientos.',
  },
  'private.orders': {
    name: 'ordenes',
    about: 'Las órdenes que diste como administrador.',
  },
  'ledger.audit': {
    name: 'auditoria',
    about: 'Lo que un administrador hizo con tu cuenta, o tú con la de otros.',
  },
  'ledger.audit_targets': {
    name: 'auditoria-lotes',
    about: 'Los lotes de abonos en los que estabas, con la suma para ti.',
  },
}

export const privacyCopy = {
  sheets,
  zipFile: 'mis-datos.zip',
  jsonFile: 'mis-datos.json',
  yes: 'Sí',
  no: 'No',
} as const
