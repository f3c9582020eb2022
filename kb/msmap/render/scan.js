"use strict";
(() => {
  const { words, terms, texts, sites } = JSON.parse(document.getElementById("data").textContent);
  const root = document.documentElement;
  const STEP = 100;
  const at = (id) => document.getElementById(id);
  const shown = { status: new Set(["missing", "care", "unclear"]), count: STEP };
  let language = root.dataset.lang;

  const made = (tag, text, kind) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    if (kind) element.className = kind;
    return element;
  };
  const say = (key, ...parts) =>
    words[language][key].replace(/\{(\d)(?::,)?\}/g, (_, number) => parts[number]);
  const term = (kind, name) => terms[kind][name][language === "zh" ? 1 : 0];
  const text = (number) => texts[number][language === "zh" ? 1 : 0];

  const fits = (site) => {
    if (!shown.status.has(site.status)) return false;
    const certainty = at("certainty").value, rule = at("rule").value;
    if (certainty && site.certainty !== certainty) return false;
    if (rule && site.rule !== rule) return false;
    const wanted = at("search").value.trim().toLowerCase();
    return !wanted || wanted.split(/\s+/).every((word) => hay(site).includes(word));
  };
  const hay = (site) => {
    site.hay ??= [site.path, site.rule, ...site.apis, site.source, site.port].join("\n").toLowerCase();
    return site.hay;
  };

  const side = (label, code, quiet) => {
    const box = made("div");
    box.append(made("span", label));
    const pre = made("pre");
    pre.tabIndex = 0;
    pre.append(made("code", code, quiet ? "quiet" : ""));
    box.append(pre);
    return box;
  };

  const item = (site) => {
    const li = made("li", undefined, site.status);
    const where = made("div", undefined, "where");
    where.append(made("span", term("status", site.status), "badge"));
    const inner = site.cell === null ? `${site.line}:${site.column + 1}` : say("cell", site.cell, site.line);
    where.append(made("code", `${site.path}:${inner}`));
    where.append(made("code", site.apis.length > 3 ? `${site.apis.slice(0, 3).join(" | ")} …` : site.apis.join(" | ")));
    if (site.rule) where.append(made("span", `${site.rule}: ${term("rule", site.rule)}`, "quiet"));
    if (site.certainty !== "certain") where.append(made("span", term("certainty", site.certainty), "quiet"));
    if (site.likely) where.append(made("span", say("likely"), "quiet"));
    if (site.state) where.append(made("span", say(`${site.state}_word`), "quiet"));
    const pair = made("div", undefined, "pair");
    pair.append(side(say("code"), site.source, false));
    pair.append(side(say("becomes"), site.port || say("stays"), !site.port));
    li.append(where, pair);
    if (site.told.length || site.mended.length) {
      const said = made("ul", undefined, "said");
      for (const number of site.told) said.append(made("li", text(number)));
      for (const number of site.mended) said.append(made("li", `${say("mended")}: ${text(number)}`, "quiet"));
      li.append(said);
    }
    return li;
  };

  const draw = () => {
    const found = sites.filter(fits);
    const part = found.slice(0, shown.count);
    at("places").replaceChildren(...part.map(item));
    at("found").textContent = found.length ? say("of", part.length, found.length) : say("none");
    const more = found.length - part.length;
    at("more").hidden = more <= 0;
    at("more").textContent = say("show", Math.min(more, STEP));
  };
  const again = () => {
    shown.count = STEP;
    draw();
  };
  const speak = (chosen) => {
    language = chosen;
    root.dataset.lang = chosen;
    root.lang = chosen === "zh" ? "zh-Hans" : "en";
    at("language").textContent = words[chosen].language;
    at("language").lang = chosen === "zh" ? "en" : "zh-Hans";
    for (const option of document.querySelectorAll("option[data-kind]"))
      option.textContent = option.value
        ? `${option.dataset.kind === "rule" ? `${option.value}: ` : ""}${term(option.dataset.kind, option.value)}`
        : say("any");
    draw();
  };

  for (const button of document.querySelectorAll("button[data-status]"))
    button.addEventListener("click", () => {
      const name = button.dataset.status, on = !shown.status.has(name);
      shown.status[on ? "add" : "delete"](name);
      button.setAttribute("aria-pressed", on);
      again();
    });
  for (const button of document.querySelectorAll("button[data-search]"))
    button.addEventListener("click", () => {
      at("search").value = button.dataset.search;
      again();
      at("listed").scrollIntoView();
    });
  at("search").addEventListener("input", again);
  at("certainty").addEventListener("change", again);
  at("rule").addEventListener("change", again);
  at("more").addEventListener("click", () => {
    shown.count += STEP;
    draw();
  });
  at("language").addEventListener("click", () => speak(language === "zh" ? "en" : "zh"));
  for (const part of document.querySelectorAll("[data-share]")) part.style.flexGrow = part.dataset.share;
  at("controls").hidden = false;
  speak(language);
})();
