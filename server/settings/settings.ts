/**
 * The table of all settings. The configuration is read from this table; `npm run settings` writes the table of
 * docs/operations.md, the variables of deploy/compose.yaml and the rows of `private.settings` from it.
 */
import { type Feature, features } from '@finanzas/contract/wire/features.ts'
import { enforcedSettings } from './enforced-settings.ts'
import { type Setting, amountMax } from './kinds.ts'
import { type Environment, listOf } from './rules.ts'
import { serverSettings } from './server-settings.ts'

export const settings = { ...serverSettings, ...enforcedSettings }

export type SettingName = keyof typeof settings
type ValueOf<S> = S extends { read: (given: string | undefined, name: string) => infer Value } ? Value : never
/** The value of each variable; the default, or `null`, if the variable is unset. */
export type Values = { readonly [Name in SettingName]: ValueOf<(typeof settings)[Name]> }

/** The names of all settings. */
export const settingNames = Object.keys(settings) as SettingName[]

/** Reads all variables. Throws `ConfigError` for the first variable that is invalid. */
export function readSettings(env: Environment): Values {
  return Object.fromEntries(settingNames.map((name) => [name, readSetting(env, name)])) as Values
}

/** Reads one variable, for code that must work even if another variable is invalid. */
export function readSetting<Name extends SettingName>(env: Environment, name: Name): Values[Name] {
  const setting: Setting = settings[name]
  return setting.read(env[name], name) as Values[Name]
}

type Enforced = typeof enforcedSettings
type Currency = Values['DISPLAY_CURRENCY']
type EnforcedValue<S> = S extends { defaults: Record<Currency, number> } ? number : ValueOf<S>
/** The settings that the database enforces, by their names in `private.settings`. Amounts are in units of the currency. */
export type BankSettings = {
  [Name in keyof Enforced as Lowercase<Name>]: EnforcedValue<Enforced[Name]>
} & Record<Feature, 'on' | 'off'>

/** Returns the values that a server writes at each start. tests/database/settings.test.ts compares them with the table. */
export function bankSettings(values: Values): BankSettings {
  const enabled = enabledFeatures(values)
  const named = Object.entries<Setting>(enforcedSettings).map(([name, { defaults }]) => [
    name.toLowerCase(),
    values[name as keyof Enforced] ?? defaults?.[values.DISPLAY_CURRENCY] ?? null,
  ])
  const switches = features.map((feature) => [feature, enabled.includes(feature) ? 'on' : 'off'])
  return Object.fromEntries([...switches, ...named]) as BankSettings
}

/** Returns the enabled features, in the order of the list of all features. */
export function enabledFeatures({ FEATURES }: Values): readonly Feature[] {
  const names = new Set(listOf(FEATURES))
  return features.filter((feature) => names.has(feature))
}

/** The settings that limit the transfers of a customer, each with the largest amount. */
export const withoutTransferLimits = Object.fromEntries(
  Object.keys(enforcedSettings)
    .filter((name) => /^TRANSFER_(?:\w+_)?MAX$/.test(name))
    .map((name) => [name.toLowerCase(), amountMax]),
) as Partial<BankSettings>
