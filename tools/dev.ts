// `npm run dev` serves the page from Vite, with hot reload, on PORT. The server runs on PORT + 1 and restarts on
// every change. The browser sees one origin, as in production, because Vite forwards the server's URLs.
import { spawn } from 'node:child_process'
import path from 'node:path'
import { createServer } from 'vite'
import { root } from './tree.ts'

const surfaces = [
  '/auth/v1',
  '/rest/v1',
  '/functions/v1',
  '/realtime/v1',
  '/config.json',
  '/manifest.webmanifest',
  '/health',
  '/ready',
]

const port = Number(process.env['PORT'] ?? 3000)
const serverPort = port + 1

const server = spawn(process.execPath, ['--watch', '--watch-preserve-output', 'server/main.ts'], {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, PORT: String(serverPort), SITE_URL: `http://localhost:${port}` },
})

const page = await createServer({
  root: path.join(root, 'web'),
  server: {
    host: 'localhost',
    port,
    strictPort: true,
    proxy: Object.fromEntries(
      surfaces.map((surface) => [
        surface,
        { target: `http://127.0.0.1:${serverPort}`, ws: surface === '/realtime/v1' },
      ]),
    ),
  },
})

// When one of the two processes ends, the other is stopped.
server.once('exit', (code) => {
  void page.close().finally(() => process.exit(code ?? 0))
})
process.on('exit', () => server.kill())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.kill(signal))

try {
  // The server prints the address once it answers there.
  await page.listen()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
