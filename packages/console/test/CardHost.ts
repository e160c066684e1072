/**
 * A client that shows MCP Apps, for tests: the official host library in a page, with the app's document in a sandboxed frame under
 * the policy that the extension (2026-01-26) prescribes for one that asks for nothing. Bundled for the browser by the test.
 */
import { AppBridge, PostMessageTransport } from "@modelcontextprotocol/ext-apps/app-bridge"

/** What the test does for the page. */
declare global {
  interface Window {
    callTool: (name: string, input: object) => Promise<{ content: [] }>
    showCard: (document: string, theme: "light" | "dark", name: string, input: Record<string, unknown>) => Promise<void>
  }
}

const policy = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; media-src 'self' data:; connect-src 'none'"

window.showCard = async (document_, theme, name, input) => {
  const frame = document.createElement("iframe")
  frame.setAttribute("sandbox", "allow-scripts")
  frame.style.cssText = "border: 0; width: 100%; height: 100px; display: block; color-scheme: normal"
  document.body.style.margin = "0"
  document.documentElement.style.colorScheme = theme
  document.body.append(frame)
  if (frame.contentWindow === null) throw new Error("no frame")
  const bridge = new AppBridge(null, { name: "made-up-host", version: "1.0.0" }, { serverTools: {} }, {
    hostContext: { theme }
  })
  bridge.oncalltool = ({ arguments: given = {}, name: called }) => window.callTool(called, given)
  bridge.onsizechange = ({ height = 0 }) => {
    frame.style.height = `${height}px`
  }
  const initialized = new Promise<void>((resolve) => {
    bridge.oninitialized = () => resolve()
  })
  await bridge.connect(new PostMessageTransport(frame.contentWindow, frame.contentWindow))
  frame.srcdoc = document_.replace(
    "<meta charset",
    `<meta http-equiv="Content-Security-Policy" content="${policy}"><meta charset`
  )
  await initialized
  await bridge.sendToolInput({ arguments: input })
  await bridge.sendToolResult(await window.callTool(name, input))
}
