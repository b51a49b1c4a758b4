import type { AlarmCode } from './alarms.ts'

/**
 * The text of an alarm: its name, its effect on the bank and its customers, and the steps that the operator can take.
 */
export type AlarmText = { readonly title: string; readonly meaning: string; readonly remedy: string }

export const alarmCopy: Readonly<Record<AlarmCode, AlarmText>> = {
  'database-away': {
    title: 'La base de datos no responde',
    meaning:
      'Este servidor no llega a la base de datos. Nadie puede entrar ni mover dinero por él; no se pierde nada.',
    remedy:
      'Mira si PostgreSQL está en marcha y si la red llega a él; el registro del servidor dice la dirección y la causa. No reinicies el servidor: vuelve a conectarse solo en cinco segundos.',
  },
  'login-refused': {
    title: 'La base de datos rechaza el usuario del servidor',
    meaning: 'PostgreSQL no acepta el usuario o la contraseña con los que el servidor entra.',
    remedy:
      'Busca en el registro del servidor el campo «outcome». Con «password set» ya está arreglado. Con «others have another password», pon en los servidores la misma configuración. En los demás casos, mira pg_hba.conf y el registro de PostgreSQL.',
  },
  'clock-differs': {
    title: 'El reloj de un servidor no coincide con el de la base de datos',
    meaning: 'La diferencia pasa de 30 segundos, y ese servidor no atiende: las sesiones dejarían de valer.',
    remedy:
      'Sincroniza el reloj de ese servidor («systemctl restart systemd-timesyncd» o «chronyc makestep»). Si son todos los servidores, el reloj que está mal es el de la base de datos.',
  },
  'server-gone': {
    title: 'Un servidor no da señales',
    meaning: 'Un servidor dejó de informar hace más de tres minutos sin despedirse. Los demás atienden.',
    remedy:
      'Entra en esa máquina y mira por qué terminó («systemctl status finanzas» o «docker compose logs»). Inícialo otra vez. Si lo retiraste a propósito, el aviso se quita solo en un día.',
  },
  'disk-low': {
    title: 'Queda poco espacio en el disco',
    meaning:
      'En el disco de DATA_DIR quedan menos de 512 MB. Primero dejan de hacerse las copias; por debajo de 64 MB, la base de datos incluida rechaza los movimientos.',
    remedy:
      'Libera espacio en ese disco o amplíalo; las copias antiguas se pueden llevar a otra máquina. No borres nada dentro de la carpeta «postgres». El banco sigue solo cuando hay espacio.',
  },
  'database-grows': {
    title: 'La base de datos crece demasiado rápido',
    meaning: 'Los archivos de la base de datos crecieron más de 500 MB en una hora.',
    remedy:
      'Puede pasar una vez, cuando muchos clientes importan movimientos. Si en el registro se repite «too many requests» con el mismo «actor», esa cuenta ataca el banco: bloquéala con «npm run admin -- block CORREO --reason fraude».',
  },
  'backup-failed': {
    title: 'No se pudo hacer la copia de seguridad',
    meaning:
      'La última copia programada falló. El banco atiende, y lo intenta otra vez en la próxima hora prevista.',
    remedy:
      'El registro del servidor dice la causa; casi siempre falta espacio en el disco. Arréglala y haz una copia: «npm run backup».',
  },
  'backup-old': {
    title: 'La última copia de seguridad es antigua',
    meaning:
      'Pasaron más de tres intervalos de BACKUP_INTERVAL_MINUTES sin una copia; o un día, si ese ajuste no está puesto y el banco usa PostgreSQL.',
    remedy:
      'Haz una copia ahora, «npm run backup», y mira en el registro por qué no se hicieron las anteriores. Si las copias son de PostgreSQL, pon BACKUP_INTERVAL_MINUTES=0 en todos los servidores.',
  },
  'ledger-broken': {
    title: 'El libro no es correcto',
    meaning: 'La verificación encontró un asiento que no cuadra. El banco sigue atendiendo.',
    remedy:
      'No corrijas, borres ni restaures nada. Haz una copia, «npm run backup», y guárdala para siempre. Después, «npm run verify-ledger» dice cuál es el asiento. Puede ser un disco dañado o alguien con acceso a la base de datos.',
  },
  'ledger-unchecked': {
    title: 'El libro lleva tiempo sin verificarse',
    meaning: 'Ningún servidor terminó la verificación diaria en las últimas 36 horas.',
    remedy:
      'Verifícalo ahora: «npm run verify-ledger». Si falla, el registro del servidor dice por qué con la línea «the ledger could not be verified».',
  },
  'mails-wait': {
    title: 'Los correos no salen',
    meaning:
      'Un correo espera desde hace más de media hora: el servidor de correo no lo acepta. Los clientes no reciben confirmaciones ni enlaces.',
    remedy:
      'Mira en el registro el «code» de la línea «mail deferred», y comprueba SMTP_URL y el servidor de correo. Cuando vuelva, los correos salen solos; se intenta durante un día.',
  },
  'one-administrator': {
    title: 'Las transferencias necesitan otro administrador',
    meaning:
      'El banco permite transferencias y solo una persona puede decidirlas. Esa persona no decide durante 90 días las de las cuentas que abrió o cuyo acceso cambió: esperan y vencen.',
    remedy:
      'Crea otro administrador: «npm run admin -- create CORREO», o dale el rol a otra persona en /admin.',
  },
  'replica-gone': {
    title: 'PostgreSQL se quedó sin réplica síncrona',
    meaning:
      'Lo que se confirma queda en un solo disco. El banco atiende; si ese disco falla, se pierde lo registrado desde entonces.',
    remedy:
      'Mira por qué la réplica se detuvo («patronictl list» o «select * from pg_stat_replication») e iníciala: la alarma se cierra sola en un minuto. Si la quitaste a propósito, la guía de incidentes dice cómo cerrarla.',
  },
  'certificate-expires': {
    title: 'El certificado de los documentos va a vencer',
    meaning:
      'El certificado de PAPER_CERTIFICATE vence en menos de 30 días, o ya venció. Después, el banco no entrega extractos ni comprobantes firmados.',
    remedy: 'Pide otro a la entidad que lo dio, pon el archivo nuevo y reinicia cada servidor.',
  },
  'mail-given-up': {
    title: 'Un correo no se pudo enviar',
    meaning:
      'El servidor de correo dijo que una dirección no existe, o no aceptó un correo en un día. Ese correo ya no llegará.',
    remedy:
      'Un solo correo suele ser una dirección que no existe, y no pide nada. Si son muchos, comprueba SMTP_URL y MAIL_FROM. El cliente puede pedir otro enlace, o un administrador reenviarlo desde la página del cliente.',
  },
}

/** The text of the public page `/estado`. */
export const publicStatusCopy = {
  title: (brandName: string) => `Estado de ${brandName}`,
  up: 'El banco funciona',
  down: 'El banco no funciona en este momento',
  since: (moment: string) => `Desde el ${moment}`,
  later: 'Ya lo estamos mirando. Inténtalo de nuevo en unos minutos.',
  login: 'Entrar a tu banco',
}

/** The Spanish text of the facts about the bank, which operators and administrators read. */
export const factCopy = {
  serving: 'Funciona desde',
  notServing: 'Ningún servidor está en marcha',
  version: 'Versión',
  noVersion: '—',
  migration: 'Migración',
  migrationWaits: (applied: string, newest: string) =>
    `${applied}. Falta ${newest}: la aplica esta versión de Finanzas cuando inicia`,
  engine: 'Base de datos',
  engines: { pglite: 'incluida', postgres: 'propia' } as Readonly<Record<string, string>>,
  database: (version: string, kind: string | undefined) =>
    `PostgreSQL ${version}${kind === undefined ? '' : ` (${kind})`}`,
  size: 'Tamaño de la base',
  backup: 'Última copia de seguridad',
  noBackup: 'Ninguna todavía',
  backupElsewhere: 'Ninguna por el banco: las hace PostgreSQL, o nadie (BACKUP_INTERVAL_MINUTES)',
  ledger: 'Libro verificado',
  ledgerSound: (when: string) => `${when}: correcto`,
  ledgerBroken: (when: string) => `${when}: NO ES CORRECTO`,
  never: 'Todavía no',
  mails: 'Correos en espera',
  noMails: 'Ninguno',
  waitingMails: (count: number, age: string | null) =>
    `${count.toLocaleString('es-CO')}${age === null ? '' : `, el más antiguo ${age}`}`,
  servers: 'Servidores',
  running: (count: number) => count.toLocaleString('es-CO'),
  unnamed: (number: number) => `Servidor ${number}`,
  server: (name: string, version: string, age: string) => `${name}: versión ${version}, iniciado ${age}`,
  goneServer: (name: string, age: string) => `${name}: sin señales, la última ${age}`,
  diskFree: (size: string) => `${size} libres en su disco`,
  /** On a hosted project, no server reports to the database. */
  unknown: 'Aquí no se sabe: lo dice el panel del proyecto',
  age: (moment: string, age: string) => `${moment}, ${age}`,
  now: 'hace un momento',
} as const
