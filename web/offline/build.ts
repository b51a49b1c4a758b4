import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'

/**
 * Builds the service worker as a single script without imports. The script changes whenever any file in the build
 * changes.
 */
export function serviceWorker(): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    // Makes this plugin run after Vite has generated the page.
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const page = bundle['index.html']
      if (page?.type !== 'asset') throw new Error('The build has no index.html.')
      const files = Object.keys(bundle)
        .filter((file) => file.startsWith('assets/'))
        .map((file) => `/${file}`)
        .sort()
      const version = createHash('sha256').update(files.join()).update(page.source).digest('hex').slice(0, 16)
      const source = await workerSource({
        BUILD_VERSION: JSON.stringify(version),
        BUILD_FILES: JSON.stringify(files),
      })
      this.emitFile({ type: 'asset', fileName: 'sw.js', source })
    },
  }
}

async function workerSource(define: Record<string, string>): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    root: import.meta.dirname,
    define,
    build: {
      write: false,
      rolldownOptions: { input: join(import.meta.dirname, 'service-worker.ts'), output: { format: 'iife' } },
    },
  })
  const [output] = Array.isArray(built) ? built : [built]
  const script = output !== undefined && 'output' in output ? output.output[0] : undefined
  if (script === undefined) throw new Error('The worker was not built.')
  return script.code
}
