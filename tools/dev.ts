// `npm run dev` serves the web page with Vite on PORT, with hot reload. The server runs on PORT + 1 and restarts on
// every change. Vite forwards requests for the server's URLs, so that the browser uses a single origin, as in
// production.
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
  '/estado',
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

// When either process exits, the other process is stopped.
server.once('exit', (code) => {
  void page.close().finally(() => process.exit(code ?? 0))
})
process.on('exit', () => server.kill())
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => server.kill(signal))

try {
  // The server itself prints this address as soon as it answers requests.
  await page.listen()
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
