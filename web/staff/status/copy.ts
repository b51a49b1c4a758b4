import { plural } from '#ui/format/count.ts'

export const statusCopy = {
  documentTitle: 'Estado - Finanzas',
  title: 'Estado del banco',
  loading: 'Cargando el estado…',
  failed: 'No se pudo leer el estado.',
  well: 'Todo está bien.',
  open: (count: number) => `${count} ${plural(count, 'alarma abierta', 'alarmas abiertas')}`,
  unserved: 'Ningún servidor del banco está en marcha.',
  broken: 'El libro no es correcto.',
  alarms: 'Alarmas abiertas',
  since: (moment: string) => `Desde el ${moment}`,
  remedy: 'Qué hacer:',
  forOperator:
    'Lo resuelve quien opera los servidores del banco. También recibe un correo, si el banco lo configuró.',
  over: 'Alarmas terminadas en el último día',
  ended: (begun: string, ended: string) => `(del ${begun} al ${ended})`,
  facts: 'Datos',
  readAt: (moment: string) => `Leído el ${moment}. Se lee otra vez cada medio minuto.`,
} as const
