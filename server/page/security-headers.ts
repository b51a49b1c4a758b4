/**
 * Headers that restrict the page in the browser (security.md HD-01, HD-03). The browser blocks all sources that the
 * content security policy does not list.
 */

/**
 * Returns the content security policy, which lists the origins that the page may load from and connect to. These
 * origins are the site, the project if it has another origin, and each third party that the operator has not disabled.
 */
export function contentSecurityPolicy(site: {
  readonly siteUrl: string
  /**
   * Origin of the HTTP surfaces, such as `/auth/v1` and `/rest/v1`. If this server serves both the page and the
   * surfaces, the value is empty or the site's own origin.
   */
  readonly supabaseUrl: string
  readonly avatarUrl: string
  readonly chartUrl: string
}): string {
  const avatarHost = hostOf(site.avatarUrl)
  const chartHost = hostOf(site.chartUrl)
  const directives: Record<string, string[]> = {
    'default-src': ["'none'"],
    'script-src': ["'self'"],
    'worker-src': ["'self'"],
    'style-src': ["'self'"],
    'img-src': ["'self'", 'data:', ...avatarHost],
    'font-src': ["'self'"],
    'connect-src': ["'self'", ...projectHosts(site), ...chartHost],
    'frame-src': chartHost.length > 0 ? chartHost : ["'none'"],
    'manifest-src': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    'require-trusted-types-for': ["'script'"],
    ...(isHttps(site.siteUrl) ? { 'upgrade-insecure-requests': [] } : {}),
  }
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join('; ')
}

/** Returns the headers that every answer has. */
export function commonHeaders(siteUrl: string): Record<string, string> {
  return {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    ...(isHttps(siteUrl) ? { 'strict-transport-security': 'max-age=31536000; includeSubDomains' } : {}),
  }
}

/** Returns the project's origins for HTTP requests and for WebSockets. */
function projectHosts({ siteUrl, supabaseUrl }: { siteUrl: string; supabaseUrl: string }): string[] {
  const [project] = hostOf(supabaseUrl)
  if (project === undefined || project === new URL(siteUrl).origin) return []
  return [project, project.replace(/^http/, 'ws')]
}

function hostOf(template: string): string[] {
  return template === '' ? [] : [new URL(template).origin]
}

function isHttps(siteUrl: string): boolean {
  return siteUrl.startsWith('https:')
}
