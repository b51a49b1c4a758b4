/** The web app manifest, which gives an installed page its name, start URL and icons. */
export function webAppManifest({ brandName }: { readonly brandName: string }) {
  return {
    id: '/',
    name: brandName,
    short_name: 'Finanzas',
    lang: 'es-CO',
    start_url: '/',
    display: 'standalone',
    // These are the colours of the page's light scheme (web/index.html), because a manifest supports only one colour
    // scheme.
    theme_color: '#f8f5ef',
    background_color: '#f8f5ef',
    icons: [
      { src: '/favicon.svg', sizes: 'any', type: 'image/svg+xml' },
      { src: '/icons/icon-192.png', sizes: '192x192', type: 'image/png' },
      { src: '/icons/icon-512.png', sizes: '512x512', type: 'image/png' },
      { src: '/icons/icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    ],
  } as const
}
