import { defineConfig } from "vitest/config";

// The page may be mounted anywhere: all its addresses are relative.
export default defineConfig({
  base: "./",
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir: "../rendercall/server/static",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    reportCompressedSize: true,
  },
  server: { proxy: { "^/(threads|app/.*\\.json)": "http://127.0.0.1:2024" } },
  test: { environment: "node", include: ["tests/**/*.test.{ts,tsx}"] },
});
