// A static file server on loopback, like the hosts that serve the pages of hosted projects. The server sets the headers
// that `_headers` lists, and serves the page for every path that does not name a file.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import path from 'node:path'

export type StaticHost = { readonly origin: string; close(): void }

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.webmanifest': 'application/manifest+json',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/** Serves the files of a folder on a port. */
export async function startStaticHost(folder: string, port: number): Promise<StaticHost> {
  const rules = readHeaderRules(readFileSync(path.join(folder, '_headers'), 'utf8'))
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://host.local')
    const asked = path.join(folder, path.posix.normalize(pathname))
    const isFile = existsSync(asked) && statSync(asked).isFile()
    const file = isFile ? asked : path.join(folder, 'index.html')
    for (const { pattern, headers } of rules) {
      if (pattern.test(pathname)) for (const [name, value] of headers) response.setHeader(name, value)
    }
    response.setHeader('content-type', types[path.extname(file)] ?? 'application/octet-stream')
    response.end(readFileSync(file))
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${port}`,
    close: () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

/**
 * Parses `_headers`. A line without leading whitespace is a path pattern, and the indented lines below it are the
 * headers for that pattern.
 */
function readHeaderRules(text: string): { pattern: RegExp; headers: [string, string][] }[] {
  const rules: { pattern: RegExp; headers: [string, string][] }[] = []
  for (const line of text.split('\n').filter((each) => each !== '')) {
    if (!line.startsWith(' ')) {
      rules.push({
        pattern: new RegExp(`^${line.replaceAll('.', '\\.').replaceAll('*', '.*')}$`),
        headers: [],
      })
      continue
    }
    const [name = '', ...value] = line.trim().split(': ')
    rules.at(-1)?.headers.push([name, value.join(': ')])
  }
  return rules
}
