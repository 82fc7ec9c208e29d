// How the page is built. Law: nothing inline, no data addresses and no foreign host, so that the strictest
// Content-Security-Policy holds.
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [svelte()],
  build: { target: 'es2022', cssTarget: ['chrome123', 'firefox120', 'safari17.5'], assetsInlineLimit: 0, modulePreload: { polyfill: false }, reportCompressedSize: true },
  server: {
    host: '127.0.0.1',
    port: 5173,
    strictPort: true,
    proxy: { '/api': { target: 'http://127.0.0.1:7878', ws: true, changeOrigin: true, rewriteWsOrigin: true } },
  },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
