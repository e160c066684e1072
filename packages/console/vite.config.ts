import react from "@vitejs/plugin-react"
import { resolve } from "node:path"
import { defineConfig } from "vite"

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  worker: { format: "es" },
  build: {
    target: "baseline-widely-available",
    outDir: "dist",
    emptyOutDir: true,
    // No inline code and no data: addresses, which the policy of the pages refuses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: ["index.html", "sign-in.html", "operator.html"].map((file) => resolve(import.meta.dirname, file))
    }
  }
})
