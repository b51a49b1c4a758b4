/** How the server delivers the page: compression, security headers and caching. */
import { type APIResponse, expect, test } from '@playwright/test'

const guards = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
}

const assetsOf = async (page: APIResponse) =>
  [...(await page.text()).matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(
    ([, path]) => path ?? '',
  )

test('every path of the product returns the page with security headers and forbids caching', async ({
  request,
}) => {
  for (const path of ['/', '/dashboard', '/no-existe']) {
    const page = await request.get(path)

    expect(page.status()).toBe(200)
    expect(page.headers()).toMatchObject({ ...guards, 'cache-control': 'no-cache' })
    const policy = page.headers()['content-security-policy']
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(policy).toContain("worker-src 'self';")
    expect(policy).toContain("manifest-src 'self';")
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).not.toContain('unsafe')
  }
})

test('scripts and styles are compressed and cached forever', async ({ request }) => {
  const assets = await assetsOf(await request.get('/'))
  expect(assets.length).toBeGreaterThan(1)

  for (const asset of assets) {
    const answer = await request.get(asset, { headers: { 'accept-encoding': 'br' } })

    expect(answer.headers()).toMatchObject({
      ...guards,
      'content-encoding': 'br',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  }
})

test('the service worker and the manifest are revalidated, and the manifest has the bank’s name', async ({
  request,
}) => {
  const worker = await request.get('/sw.js')
  expect(worker.headers()).toMatchObject({ ...guards, 'cache-control': 'no-cache' })
  expect(worker.headers()['content-type']).toContain('javascript')
  expect(worker.headers()['content-security-policy']).toContain("default-src 'none'")

  const answer = await request.get('/manifest.webmanifest')
  expect(answer.headers()).toMatchObject({ ...guards, 'cache-control': 'no-cache' })
  expect(answer.headers()['content-type']).toContain('application/manifest+json')
  const manifest = (await answer.json()) as { icons: { src: string; type: string }[] }
  expect(manifest).toMatchObject({
    name: 'Banco Finanzas',
    start_url: '/',
    display: 'standalone',
    lang: 'es-CO',
  })
  for (const { src, type } of manifest.icons) {
    expect((await request.get(src)).headers()['content-type']).toBe(type)
  }
})

const asNavigation = {
  headers: { accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' },
}

test('the URL of a missing file returns 404 instead of the page', async ({ request }) => {
  for (const path of ['/assets/none.js', '/.env', '/secrets.json', '/assets/../../package.json']) {
    expect((await request.get(path)).status()).toBe(404)
  }
  expect((await request.get('/assets/none.js', asNavigation)).status()).toBe(404)
})

test('a URL of the page can contain a dot', async ({ request }) => {
  for (const path of ['/foo.txt', '/nada.html', '/ana@correo.test', '/.well-known/x', '/a.b/c.d?e=f']) {
    const page = await request.get(path, asNavigation)

    expect(page.status()).toBe(200)
    expect(page.headers()).toMatchObject({ ...guards, 'cache-control': 'no-cache' })
    expect(await page.text()).toContain('<!doctype html>')
  }
  const icon = await request.get('/favicon.svg', asNavigation)
  expect(icon.headers()['content-type']).toContain('svg')
})

test('the server ignores an invalid range header', async ({ request }) => {
  expect((await request.get('/', { headers: { range: 'bytes=5-1' } })).status()).toBe(200)
})

test('a URL that cannot be decoded is refused, and the refusal has the security headers', async ({
  request,
}) => {
  const answer = await request.get('/%ff')

  expect(answer.status()).toBe(400)
  expect(answer.headers()).toMatchObject(guards)
})

test('the page’s configuration contains no secrets and lists only features that the bank has enabled', async ({
  request,
}) => {
  const configuration = (await (await request.get('/config.json')).json()) as Record<string, unknown>

  expect(Object.keys(configuration).sort((a, b) => a.localeCompare(b))).toEqual([
    'anonKey',
    'avatarUrl',
    'brandName',
    'chartUrl',
    'displayCurrency',
    'features',
    'hasApprovals',
    'paperFormats',
    'passwordLengthMin',
    'supabaseUrl',
  ])
  expect(configuration).toMatchObject({ features: [], hasApprovals: false })
  const [, claims = ''] = String(configuration['anonKey']).split('.')
  expect(JSON.parse(Buffer.from(claims, 'base64url').toString())).toMatchObject({ role: 'anon' })
})
