import tailwindcss from '@tailwindcss/vite'
import { join } from 'node:path'
import { build, type Plugin } from 'vite'

/**
 * Builds the public page `/verificar` separately, so that the page does not share any chunk with the application. The
 * service worker does not cache the page's files, because this plugin runs after the worker has been written.
 */
export function publicVerification(): Plugin {
  return {
    name: 'public-verification',
    apply: 'build',
    enforce: 'post',
    async generateBundle(_options, bundle) {
      const root = join(import.meta.dirname, '../..')
      const built = await build({
        configFile: false,
        logLevel: 'warn',
        root,
        publicDir: false,
        plugins: [tailwindcss()],
        build: {
          write: false,
          target: ['chrome123', 'firefox128', 'safari17.5'],
          modulePreload: false,
          assetsInlineLimit: 0,
          rolldownOptions: { input: join(root, 'verificar.html') },
        },
      })
      const [output] = Array.isArray(built) ? built : [built]
      if (output === undefined || !('output' in output)) throw new Error('The page was not built.')
      for (const file of output.output) {
        // Files that the application also contains, such as the font, are not emitted again.
        if (file.fileName in bundle) continue
        const source = file.type === 'chunk' ? file.code : file.source
        this.emitFile({ type: 'asset', fileName: file.fileName, source })
      }
    },
  }
}
