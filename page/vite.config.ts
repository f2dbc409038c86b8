// SPDX-License-Identifier: Apache-2.0
import { defineConfig } from "vite";

// The policy that the server sends too: `vite preview` shows the page under it.
const policy =
  "default-src 'self'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; object-src 'none'; base-uri 'none'";
// Where `lerp serve` listens while the page is worked on.
const server = process.env["LERP_SERVER"] ?? "http://127.0.0.1:8977";
const proxy = {
  "/api": {
    target: server,
    changeOrigin: true,
    headers: { origin: server },
  },
};

export default defineConfig({
  build: {
    target: "es2022",
    // Nothing is put into the page as data: URLs, and no script stands in the page itself.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 600,
  },
  server: { proxy },
  preview: { proxy, headers: { "Content-Security-Policy": policy } },
});
