// Search where there is no server: all names, titles and errors are in window.msmapIndex.
"use strict";

(() => {
  const index = window.msmapIndex;
  const box = document.getElementById("found");
  const field = document.querySelector("form.big input[type=search], [data-search]");
  if (!index || !box || !field) return;

  const KINDS = { r: "record", p: "probe", n: "name", g: "guide" };
  const SHOWN = 50;
  // Records and guides are what people wrote; of other names a machine or nobody told.
  const WORTH = { r: 2.5, g: 4, n: 1.2, p: 1 };
  // Words of names apart, and pairs of Chinese characters.
  const COMMON = new Set(["a", "an", "and", "as", "at", "be", "but", "by", "for", "from", "get", "got", "has", "have", "how", "i", "in", "is", "it", "its", "like", "my", "no", "not", "of", "on", "or", "same", "should", "that", "the", "to", "was", "what", "with", "error", "attributeerror", "typeerror", "runtimeerror", "keyerror", "valueerror", "object", "attribute", "module", "mindspore", "torch"]);
  const words = (text) => {
    const every = text.toLowerCase().match(/[a-z][a-z0-9]*|[0-9]+/g) || [];
    const rare = every.filter((word) => !COMMON.has(word)).map((word) => word.length > 3 ? word.replace(/(?:ing|ed|es|s)$/, "") : word);
    const found = new Set(rare.length ? rare : every);
    for (const run of text.match(/[\u4e00-\u9fff]+/g) || []) {
      if (run.length === 1) found.add(run);
      for (let at = 0; at + 1 < run.length; at += 1) found.add(run.slice(at, at + 2));
    }
    return found;
  };
  // What may stand for a name: without quotes, calls, and the words around it.
  const plain = (text) => text.trim().replace(/^[`'"]+|[`'"]+$/g, "").replace(/\(.*$/s, "").toLowerCase();
  const last = (name) => name.slice(name.lastIndexOf(".") + 1);
  const triples = (text) => {
    const padded = ` ${text} `;
    return new Set([...padded].slice(0, -2).map((_, at) => padded.slice(at, at + 3)));
  };
  const alike = (one, other) => {
    let both = 0;
    for (const part of one) if (other.has(part)) both += 1;
    return (2 * both) / (one.size + other.size);
  };

  const entries = index.pages.map(([name, kind, title, target, file]) => ({
    name, kind, title, target, file: file || `${name}.html`, lower: name.toLowerCase(),
    words: words(`${name} ${title} ${target}`),
  }));

  // The words that are looked for, each with what means the same: a phrase is met by all its words.
  const asked = (text) => {
    const wanted = [...words(text)].map((word) => [[word]]);
    const lower = ` ${text.toLowerCase()} `;
    for (const group of index.synonyms) {
      const met = group.filter((said) => /[\u4e00-\u9fff]/.test(said) ? lower.includes(said) : lower.includes(` ${said.toLowerCase()} `));
      if (!met.length) continue;
      const own = new Set(met.flatMap((said) => [...words(said)]));
      for (const one of wanted) if (own.has(one[0][0])) one.push(...group.map((said) => [...words(said)]));
    }
    return wanted;
  };

  const rarity = new Map();
  for (const entry of entries) for (const word of entry.words) rarity.set(word, (rarity.get(word) || 0) + 1);
  const weight = (word) => Math.log(1 + entries.length / (rarity.get(word) || entries.length));

  const scored = (text) => {
    const name = plain(text), leaf = last(name), wanted = asked(text);
    const marks = new Map();
    const mark = (at, points) => marks.set(at, (marks.get(at) || 0) + points);
    // What an error or a sentence names: in quotes, in brackets, or called.
    const named = new Set((text.match(/(?<=['"[`])[A-Za-z_]\w*(?=['"\]`])|[A-Za-z_]\w*(?=\()|\b[A-Z]\w*[a-z]\w*\b|(?<=kernel )\w+/g) || [])
      .map((word) => word.toLowerCase().replace(/(?:ext|view)$/, "")).filter((word) => !COMMON.has(word)));
    const typo = !/\s/.test(text.trim()) && /^[\w.]+$/.test(name) && name.length > 3 ? triples(leaf) : null;
    entries.forEach((entry, at) => {
      const own = last(entry.lower);
      if (named.has(own) || named.has(own.replaceAll("_", ""))) mark(at, 30 - entry.name.length / 10);
      if (typo) {
        const likeness = alike(typo, triples(own));
        if (likeness > 0.45) mark(at, 60 * likeness);
      }
      if (entry.lower === name) mark(at, 1000);
      else if (entry.lower.endsWith(`.${name}`)) mark(at, 600 - entry.name.length);
      else if (leaf.length > 2 && last(entry.lower) === leaf && !/\s/.test(name)) mark(at, 300 - entry.name.length);
      else if (name.length > 2 && entry.lower.includes(name)) mark(at, 120 - entry.name.length);
      let met = 0, points = 0;
      for (const one of wanted) {
        const best = Math.max(0, ...one.filter((said) => said.length && said.every((word) => entry.words.has(word))).map((said) => Math.max(...said.map(weight))));
        if (best) { met += 1; points += best; }
      }
      const whole = met === wanted.length ? 3 : 1;
      if (met) mark(at, points * whole * WORTH[entry.kind] / Math.log(8 + entry.words.size));
      if (marks.has(at)) mark(at, 4 * (WORTH[entry.kind] - 1));
    });
    if (text.length > 16) {
      const said = words(text);
      for (const [message, at] of index.messages) {
        const likeness = alike(said, words(message));
        if (likeness > 0.6) mark(at, 200 * likeness);
      }
    }
    return [...marks].sort((one, other) => other[1] - one[1] || one[0] - other[0]).slice(0, SHOWN);
  };

  const nearest = (text) => {
    const leaf = triples(last(plain(text)));
    return entries.map((entry, at) => [at, alike(leaf, triples(last(entry.lower)))])
      .filter(([, likeness]) => likeness > 0.4).sort((one, other) => other[1] - one[1]).slice(0, 5);
  };

  const line = ([at]) => {
    const entry = entries[at];
    const item = document.createElement("li");
    const link = document.createElement("a");
    const shown = document.createElement(entry.kind === "g" ? "span" : "code");
    item.className = "hit";
    item.dataset.kind = KINDS[entry.kind];
    link.href = entry.file;
    shown.textContent = entry.kind === "g" ? entry.title : entry.name;
    link.append(shown);
    item.append(link);
    if (entry.target && entry.kind !== "g") {
      const target = document.createElement("code");
      target.textContent = entry.target;
      item.append(" → ", target);
    }
    const told = entry.kind === "g" ? entry.target : entry.title;
    if (told) {
      const title = document.createElement("span");
      title.textContent = told;
      item.append(document.createElement("br"), title);
    }
    return item;
  };

  const show = () => {
    const text = field.value.trim();
    box.replaceChildren();
    if (!text) return;
    const hits = scored(text);
    const head = document.createElement("p");
    const list = document.createElement("ul");
    list.className = "hits";
    head.textContent = hits.length ? box.dataset.count.replace("{0}", hits.length) : box.dataset.none;
    list.append(...(hits.length ? hits : nearest(text)).map(line));
    box.append(head, list);
  };

  field.value = new URLSearchParams(location.search).get("q") || "";
  let timer = 0;
  field.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(show, 120); });
  field.form.addEventListener("submit", (event) => {
    event.preventDefault();
    history.replaceState(null, "", `?q=${encodeURIComponent(field.value)}`);
    show();
  });
  show();
})();
