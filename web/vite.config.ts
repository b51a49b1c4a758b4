import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { defineConfig, type Plugin } from 'vite'
import { chunkGroups } from './chunks.ts'
import { serviceWorker } from './offline/build.ts'
import { publicVerification } from './papers/verify/build.ts'

export default defineConfig({
  root: import.meta.dirname,
  resolve: {
    alias: [
      ...unused('api/unused-client-parts.ts', [
        /^@supabase\/storage-js$/,
        /^\.\/lib\/web3\/ethereum$/,
        /^\.\/lib\/webauthn$/,
        /^\.\/webauthn\.errors$/,
      ]),
      ...unused('data/unused-query-parts.ts', [/^\.\/mutationCache\.js$/]),
    ],
  },
  plugins: [
    react(),
    tailwindcss(),
    inlineMark(),
    preloadFont(),
    nameClientCode(),
    serviceWorker(),
    publicVerification(),
    compressTexts(),
  ],
  build: {
    target: ['chrome123', 'firefox128', 'safari17.5'],
    outDir: 'dist',
    emptyOutDir: true,
    modulePreload: {
      polyfill: false,
      // index.html loads these scripts before all others.
      resolveDependencies: (_file, scripts, { hostType }) =>
        hostType === 'html'
          ? scripts
          : scripts.filter((script) => !/\/(rolldown-runtime|early|react-dom|entry)-/.test(script)),
    },
    // The page's content security policy allows neither fonts nor scripts from `data:` URLs, and therefore no assets
    // are inlined.
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: { groups: chunkGroups },
      },
    },
  },
})

/** Replaces parts of a library that the page never uses with the empty parts of a file. */
function unused(file: string, parts: readonly RegExp[]) {
  return parts.map((find) => ({ find, replacement: join(import.meta.dirname, file) }))
}

/** Inlines the logo into the page, so that it appears as soon as the style sheet has loaded. */
function inlineMark(): Plugin {
  return {
    name: 'inline-mark',
    async transformIndexHtml(html) {
      const mark = await readFile(join(import.meta.dirname, 'public/favicon.svg'), 'utf8')
      return html.replace(
        '<img src="/favicon.svg" alt="" />',
        mark.replace('<svg', '<svg aria-hidden="true"').trim(),
      )
    },
  }
}

/** Adds a preload link, so that the browser fetches the font in parallel with the style sheet. */
function preloadFont(): Plugin {
  return {
    name: 'preload-font',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        return Object.keys(bundle ?? {})
          .filter((file) => file.endsWith('.woff2'))
          .map((file) => ({
            tag: 'link',
            attrs: { rel: 'preload', href: `/${file}`, as: 'font', type: 'font/woff2', crossorigin: true },
            injectTo: 'head-prepend',
          }))
      },
    },
  }
}

/**
 * Writes the URL of the client's script into the page. If a session is stored, the page fetches this script immediately
 * and runs it later.
 */
function nameClientCode(): Plugin {
  return {
    name: 'name-client-code',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle }) {
        const code = Object.values(bundle ?? {}).find(
          (output) => output.type === 'chunk' && output.name === 'supabase',
        )
        if (code === undefined) throw new Error('The client has no script of its own.')
        return [
          { tag: 'meta', attrs: { name: 'client-code', content: `/${code.fileName}` }, injectTo: 'head' },
        ]
      },
    },
  }
}

/**
 * Writes a `.br` and a `.gz` version next to every text file in the build. The server sends the version that the
 * browser accepts.
 */
function compressTexts(): Plugin {
  return {
    name: 'compress-texts',
    apply: 'build',
    async writeBundle({ dir }, bundle) {
      if (dir === undefined) return
      const texts = Object.values(bundle).filter(({ fileName }) => /\.(js|css|html|svg)$/.test(fileName))
      await Promise.all(
        texts.flatMap((output) => {
          const content = output.type === 'chunk' ? output.code : output.source
          const path = join(dir, output.fileName)
          return [
            writeFile(`${path}.br`, brotliCompressSync(content)),
            writeFile(`${path}.gz`, gzipSync(content, { level: 9 })),
          ]
        }),
      )
    },
  }
}
