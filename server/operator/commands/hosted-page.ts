/**
 * `npm run build:hosted`: writes the built page as files for a static host, with a hosted project as the page's backend
 * (docs/hosted.md). Settings are not compiled into the page: `config.json` names the project, and `_headers` contains
 * the content security policy that this server would send. `_redirects`, in the format of static hosts, makes every URL
 * return the page.
 */
import { createPublicKey } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { PageConfiguration } from '@finanzas/contract/wire/configuration.ts'
import { type StatementKey, statementKeyOf, statementKeysPath } from '@finanzas/contract/papers/signature.ts'
import type { Config } from '#settings/config.ts'
import { ConfigError } from '#settings/rules.ts'
import { webAppManifest } from '#page/manifest.ts'
import { commonHeaders, contentSecurityPolicy } from '#page/security-headers.ts'
import { WrongUsage, pathOf, pathOfFile, runCommandLine } from '#operator/command-line.ts'

const builtPage = fileURLToPath(new URL('../../../web/dist', import.meta.url))
const usage =
  'SUPABASE_URL=https://….supabase.co SUPABASE_ANON_KEY=… SITE_URL=https://… npm run build:hosted [-- --out dist/hosted --statement-keys CLAVES.pem]'

await runCommandLine(
  { usage, options: { out: { type: 'string' }, 'statement-keys': { type: 'string' } } },
  async ({ values }, config) => {
    const out = pathOf(values.out ?? 'dist/hosted')
    const configuration = pageConfiguration(config)
    // SITE_URL is required, because the headers for the default site, http://localhost, would not require HTTPS.
    required('SITE_URL')
    refuseForeign(out)
    await rm(out, { recursive: true, force: true })
    await mkdir(out, { recursive: true })
    // Writes this file first, because the next run uses it to recognize the directory, even after an interrupted run.
    await writeFile(join(out, 'config.json'), `${JSON.stringify(configuration, null, 2)}\n`)
    await writeFile(join(out, '_headers'), headersFile(config.siteUrl, configuration))
    await cp(builtPage, out, { recursive: true, filter: (file) => !file.endsWith('.built-from') })
    await writeFile(join(out, 'manifest.webmanifest'), JSON.stringify(webAppManifest(configuration)))
    const keysFile = join(out, statementKeysPath)
    await mkdir(dirname(keysFile))
    await writeFile(keysFile, JSON.stringify({ keys: await statementKeys(values['statement-keys']) }))
    await writeFile(join(out, '_redirects'), '/verificar /verificar.html 200\n/* /index.html 200\n')
    return { sentences: [`La página para ${configuration.supabaseUrl} está en ${out}.`], result: { out } }
  },
)

/**
 * Reads the public keys from a file of concatenated PEM texts. Returns an empty list without a file, for a hosted
 * project that does not sign statements.
 */
async function statementKeys(file: string | undefined): Promise<StatementKey[]> {
  if (file === undefined) return []
  const texts = (await readFile(pathOfFile(file), 'utf8')).match(
    /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g,
  )
  try {
    return await Promise.all(
      (texts ?? []).map((text) => {
        const key = createPublicKey(text)
        if (key.asymmetricKeyDetails?.namedCurve !== 'prime256v1') throw new TypeError('No P-256.')
        return statementKeyOf(key.export({ format: 'jwk' }))
      }),
    )
  } catch (error) {
    throw new ConfigError(`${file} debe tener claves públicas P-256 en PEM.`, { cause: error })
  }
}

/**
 * Throws if the directory contains other files, such as a project's source code, because the command would delete them.
 */
function refuseForeign(out: string): void {
  const names = existsSync(out) ? readdirSync(out) : []
  if (names.length === 0 || ['config.json', '_headers'].every((name) => names.includes(name))) return
  throw new WrongUsage(`${out} no está vacío ni es una página anterior: se borraría. Elige otro directorio.`)
}

function pageConfiguration(config: Config): PageConfiguration {
  return {
    supabaseUrl: projectAddress(required('SUPABASE_URL')),
    anonKey: required('SUPABASE_ANON_KEY'),
    brandName: config.brandName,
    displayCurrency: config.displayCurrency,
    avatarUrl: config.avatarUrl,
    chartUrl: config.chartUrl,
    passwordLengthMin: config.passwordLengthMin,
    paperFormats: ['csv'],
    features: config.features,
    hasApprovals: config.bankSettings.staff_approval_above !== null,
  }
}

function headersFile(siteUrl: string, configuration: PageConfiguration): string {
  const everywhere = {
    ...commonHeaders(siteUrl),
    'content-security-policy': contentSecurityPolicy({ siteUrl, ...configuration }),
  }
  const lines = (headers: Record<string, string>) =>
    Object.entries(headers).map(([name, value]) => `  ${name}: ${value}`)
  return [
    '/*',
    ...lines(everywhere),
    '/assets/*',
    ...lines({ 'cache-control': 'public, max-age=31536000, immutable' }),
    '/config.json',
    ...lines({ 'cache-control': 'no-store' }),
    ...['/sw.js', '/manifest.webmanifest'].flatMap((path) => [
      path,
      ...lines({ 'cache-control': 'no-cache' }),
    ]),
    '',
  ].join('\n')
}

function required(name: string): string {
  const value = process.env[name]
  if (value === undefined || value === '')
    throw new ConfigError(`Falta ${name}: qué proyecto, con qué clave y en qué dirección.`)
  return value
}

function projectAddress(text: string): string {
  const isOrigin = URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)
  if (!isOrigin) throw new ConfigError('SUPABASE_URL debe ser una dirección como https://….supabase.co.')
  return new URL(text).origin
}
