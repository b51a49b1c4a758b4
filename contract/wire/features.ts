/**
 * Features that a bank may enable with the setting `FEATURES`. All features are disabled by default, and the database
 * refuses calls to a disabled feature's functions. The features have Spanish names, because an operator writes the
 * names in the setting.
 */
export const features = ['transferencias', 'notificaciones'] as const

export type Feature = (typeof features)[number]
