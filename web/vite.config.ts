// How the page is built. Nothing inline, no data addresses and no foreign host, so that the strictest
// Content-Security-Policy holds.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

/** The server that the page in development talks to. It refuses foreign origins, so this one is given as its own. */
const STUDIO = 'http://127.0.0.1:7878';

export default defineConfig({
  plugins: [svelte()],
  build: { license: { fileName: 'licences.json' }, target: 'es2022', cssTarget: ['chrome123', 'firefox120', 'safari17.5'], assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: true },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: { '/api': { target: STUDIO, ws: true, changeOrigin: true, rewriteWsOrigin: true, headers: { origin: STUDIO } } },
  },
  test: { include: ['src/**/*.test.ts'], environment: 'node', css: { include: /app\.css/ } },
});
