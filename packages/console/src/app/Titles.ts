/** The title of the document: the heading of its page, so that windows, bookmarks and screen readers tell pages apart. */

/** Follows the heading for as long as the document is open. `product`: what stands behind it, and alone until there is one. */
export const followHeading = (product: string): void => {
  const tell = () => {
    const heading = document.querySelector("h1")?.textContent ?? ""
    const title = heading === "" ? product : `${heading} · ${product}`
    if (document.title !== title) document.title = title
  }
  new MutationObserver(tell).observe(document.body, { characterData: true, childList: true, subtree: true })
}
