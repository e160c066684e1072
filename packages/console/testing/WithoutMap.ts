/** Takes WebGL 2 away from a page, so that the search is a list alone: for whoever has none, and where the map is not looked at. */
import type { Page } from "playwright-core"

export const withoutMap = (page: Page) =>
  page.addInitScript(() => {
    const real = HTMLCanvasElement.prototype.getContext
    Object.defineProperty(HTMLCanvasElement.prototype, "getContext", {
      value(this: HTMLCanvasElement, kind: string) {
        return kind === "webgl2" ? null : Reflect.apply(real, this, [kind])
      }
    })
  })
