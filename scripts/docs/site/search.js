/** The search field: finds sections by what is typed, without asking anybody. `/` goes to it, Escape leaves it. */
"use strict"
{
  const root = document.currentScript.dataset.root
  const index = MiniSearch.loadJSON(window.freeholdIndex, {
    fields: ["title", "page", "text"],
    storeFields: ["title", "page", "url"]
  })
  const field = document.querySelector(".search input")
  const list = document.querySelector(".search ol")

  const entry = ({ page, title, url }) => {
    const item = document.createElement("li")
    const link = document.createElement("a")
    const where = document.createElement("small")
    link.href = root + url
    link.textContent = title
    where.textContent = page
    link.append(where)
    item.append(link)
    return item
  }

  const close = () => {
    list.hidden = true
  }

  field.addEventListener("input", () => {
    const found = index.search(field.value, {
      prefix: true,
      fuzzy: 0.15,
      combineWith: "AND",
      boost: { title: 4, page: 2 }
    })
    list.replaceChildren(...found.slice(0, 12).map(entry))
    list.hidden = found.length === 0
  })
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") list.querySelector("a")?.click()
  })
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") close()
    if (event.key === "/" && document.activeElement !== field) {
      event.preventDefault()
      field.focus()
    }
  })
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search")) close()
  })
}
