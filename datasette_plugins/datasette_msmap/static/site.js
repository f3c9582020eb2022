// Search suggestions, copy buttons, the live rewriter, and the switches of language and light.
// Every page works without it.
"use strict";

const body = document.body;

// An address, which may have arguments, with one more.
const completed = (address, name, value) =>
  `${address}${address.includes("?") ? "&" : "?"}${name}=${encodeURIComponent(value)}`;

// Light, dark, or as the system is.
const theme = document.querySelector("[data-theme-switch]");
if (theme) {
  const order = ["auto", "light", "dark"];
  const shown = () => document.documentElement.dataset.theme || "auto";
  const tell = () => {
    theme.textContent = theme.dataset[shown()];
    theme.setAttribute("aria-label", `${theme.dataset.label}: ${theme.textContent}`);
  };
  theme.hidden = false;
  tell();
  theme.addEventListener("click", () => {
    const next = order[(order.indexOf(shown()) + 1) % order.length];
    if (next === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    try { localStorage.setItem("theme", next); } catch { /* storage may be forbidden */ }
    tell();
  });
}

// The other language of the same place: the part of the page after the # goes along.
const language = document.querySelector("[data-language]");
language?.addEventListener("click", () => { language.hash = location.hash; });

// A check is folded, as is what was seen on other devices; an address that names it unfolds it.
const unfold = () => {
  let place = null;
  try { place = document.getElementById(decodeURIComponent(location.hash.slice(1))); } catch { /* not encoded so */ }
  const folded = place?.closest("details");
  if (folded) { folded.open = true; place.scrollIntoView(); }
};
addEventListener("hashchange", unfold);
unfold();

// What is wider than the page can be scrolled by keyboard too.
const reach = () => {
  for (const box of document.querySelectorAll(".scroll, .diff")) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
addEventListener("resize", reach);
addEventListener("toggle", reach, true);
reach();

// A filter that is chosen takes effect at once.
for (const form of document.querySelectorAll("[data-filters]")) {
  form.addEventListener("change", (event) => { if (event.target.tagName === "SELECT") form.requestSubmit(); });
  form.addEventListener("formdata", (event) => {
    for (const [name, value] of [...event.formData]) if (!value) event.formData.delete(name);
  });
}

for (const button of document.querySelectorAll("[data-copy-code]")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const code = button.closest(".code, .pane").querySelector("code");
    // What is said of a line is none of the code.
    const copied = code.cloneNode(true);
    for (const told of copied.querySelectorAll(".told")) told.remove();
    try {
      await navigator.clipboard.writeText(copied.textContent.trimEnd());
    } catch {
      // Without permission, or not over https: the selection is copied as by hand.
      const range = document.createRange();
      range.selectNodeContents(code);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      document.execCommand("copy");
    }
    button.textContent = body.dataset.copied;
    setTimeout(() => { button.textContent = body.dataset.copy; }, 1500);
  });
}

const search = document.querySelector("[data-search]");
addEventListener("keydown", (event) => {
  const typing = event.target.closest?.("input, textarea, select, [contenteditable]");
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
    const field = search || document.querySelector("input[type=search]");
    if (field) { event.preventDefault(); field.focus(); field.select(); }
  }
});

if (search && body.dataset.suggest) {
  const list = document.createElement("ul");
  let asked = "", shown = "", chosen = -1, timer = 0, controller = null;
  list.id = "suggestions";
  list.className = "suggestions";
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", search.getAttribute("aria-label"));
  list.hidden = true;
  search.parentElement.append(list);
  search.setAttribute("role", "combobox");
  search.setAttribute("aria-autocomplete", "list");
  search.setAttribute("aria-controls", list.id);
  search.setAttribute("aria-expanded", "false");

  const close = () => {
    list.hidden = true;
    chosen = -1;
    search.setAttribute("aria-expanded", "false");
    search.removeAttribute("aria-activedescendant");
  };
  // Only what was found for the text that stands there is offered, and only to who is there.
  const open = () => {
    if (!list.children.length || search.value.trim() !== shown || document.activeElement !== search) { close(); return; }
    list.hidden = false;
    search.setAttribute("aria-expanded", "true");
  };
  const choose = (number) => {
    const options = [...list.children];
    chosen = (number + options.length) % options.length;
    options.forEach((option, place) => option.setAttribute("aria-selected", String(place === chosen)));
    search.setAttribute("aria-activedescendant", options[chosen].id);
    options[chosen].scrollIntoView({ block: "nearest" });
  };
  const show = (found, text) => {
    list.replaceChildren(...found.map((suggestion, number) => {
      const option = document.createElement("li");
      const name = document.createElement(suggestion.kind === "guide" ? "span" : "code");
      const text = document.createElement("span");
      option.id = `suggestion-${number}`;
      option.setAttribute("role", "option");
      option.setAttribute("aria-selected", "false");
      option.dataset.url = suggestion.url;
      name.textContent = suggestion.kind === "guide" ? suggestion.text : suggestion.name;
      text.className = "dim";
      text.textContent = suggestion.kind === "guide" ? suggestion.name : suggestion.text;
      option.append(name, " ", text);
      option.addEventListener("mousedown", (event) => { event.preventDefault(); location.href = suggestion.url; });
      return option;
    }));
    shown = text;
    chosen = -1;
    open();
  };
  const ask = async () => {
    const text = search.value.trim();
    if (text === asked) return;
    asked = text;
    controller?.abort();
    if (!text) { close(); return; }
    controller = new AbortController();
    try {
      const answer = await fetch(completed(body.dataset.suggest, "q", text), { signal: controller.signal });
      if (answer.ok && search.value.trim() === text) show((await answer.json()).suggestions, text);
    } catch { /* another question was asked meanwhile, or there is no network */ }
  };
  search.addEventListener("input", () => { open(); clearTimeout(timer); timer = setTimeout(ask, 80); });
  search.addEventListener("blur", close);
  search.addEventListener("focus", open);
  search.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    if (event.key === "Escape") {
      // The first closes the list; without one the browser empties the box.
      if (!list.hidden) event.preventDefault();
      close();
      return;
    }
    if (list.hidden || !list.children.length) return;
    if (event.key === "ArrowDown") { event.preventDefault(); choose(chosen + 1); }
    else if (event.key === "ArrowUp") { event.preventDefault(); choose(chosen < 0 ? -1 : chosen - 1); }
    else if (event.key === "Enter" && chosen >= 0) { event.preventDefault(); location.href = list.children[chosen].dataset.url; }
  });
}

// The rewriter answers while one types, by its own page: what that says is put in place of what
// stands here. All that an answer says is in a live region.
for (const form of document.querySelectorAll("[data-rewriter]")) {
  const source = form.querySelector("textarea");
  const probed = form.querySelector("[name=probed]");
  const parts = ["[data-result]", "[data-said]"].map((part) => form.querySelector(part));
  let timer = 0, controller = null;
  const rewrite = async () => {
    clearTimeout(timer);
    controller?.abort();
    const mine = controller = new AbortController();
    form.setAttribute("aria-busy", "true");
    try {
      const asked = new URL(form.action);
      for (const [name, value] of new FormData(form)) if (value) asked.searchParams.set(name, value);
      const answer = await fetch(asked, { signal: mine.signal });
      if (!answer.ok) throw new Error(String(answer.status));
      const found = new DOMParser().parseFromString(await answer.text(), "text/html");
      const made = found.querySelector("[data-rewriter]");
      if (mine !== controller) return;
      for (const part of parts) {
        const other = made.querySelector(part.dataset.result === undefined ? "[data-said]" : "[data-result]");
        part.replaceChildren(...[...other.childNodes].map((node) => document.importNode(node, true)));
      }
      source.rows = made.querySelector("textarea").rows;
    } catch {
      if (mine !== controller) return;
      const failed = document.createElement("p");
      failed.className = "refused";
      failed.textContent = form.dataset.failed;
      parts[1].replaceChildren(failed);
    }
    form.removeAttribute("aria-busy");
  };
  source.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(rewrite, 250); });
  probed?.addEventListener("change", rewrite);
  form.addEventListener("submit", (event) => { event.preventDefault(); rewrite(); });
}

// The code of checks is fetched when the first of them is opened, and put where its line is.
const sheet = document.querySelector("[data-checks]");
if (sheet) {
  let fetched = null;
  const fill = async (check) => {
    check.setAttribute("aria-busy", "true");
    try {
      fetched ??= fetch(sheet.dataset.checks).then(async (answer) => {
        if (!answer.ok) throw new Error(String(answer.status));
        return new DOMParser().parseFromString(await answer.text(), "text/html");
      });
      const told = (await fetched).getElementById(check.id);
      for (const node of [...check.childNodes]) if (node.nodeName !== "SUMMARY") node.remove();
      for (const node of told.childNodes) if (node.nodeName !== "SUMMARY") check.append(document.importNode(node, true));
    } catch {
      fetched = null;
      delete check.dataset.filled;
      check.querySelector("p").prepend(sheet.dataset.failed, " ");
    }
    check.removeAttribute("aria-busy");
  };
  const look = (check) => {
    if (check.open && !check.dataset.filled) { check.dataset.filled = "yes"; fill(check); }
  };
  for (const check of sheet.querySelectorAll("details.check")) {
    check.addEventListener("toggle", () => look(check));
    look(check);
  }
}
