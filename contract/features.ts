/**
 * Features that a bank may enable with the setting `FEATURES`. All are disabled by default, and the database refuses
 * the calls of a disabled feature. The names are Spanish, because an operator writes them.
 */
export const features = ['transferencias'] as const

export type Feature = (typeof features)[number]
