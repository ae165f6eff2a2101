"use strict";
(() => {
  const articles = [...document.querySelectorAll("article")];
  const filters = document.getElementById("filters");
  const buttons = [...document.querySelectorAll("[data-field]")];
  const themes = ["automatic", "light", "dark"];
  let current = null;

  // Pages from a file may have no storage: then nothing is remembered.
  const storage = {
    get(key) { try { return localStorage.getItem("picklefix:" + key); } catch { return null; } },
    set(key, value) { try { localStorage.setItem("picklefix:" + key, value); } catch { /* not remembered */ } },
  };

  const shown = () => articles.filter((article) => !article.hidden);

  function count() {
    const visible = shown();
    const at = visible.indexOf(current);
    if (!articles.length) return;
    const all = visible.length === articles.length ? "" : ` of ${articles.length}`;
    document.getElementById("count").textContent =
      (at < 0 ? "" : `${at + 1} / `) + `${visible.length}${all} findings`;
    const seen = articles.filter((article) => article.classList.contains("done")).length;
    document.getElementById("progress").textContent = seen ? `${seen} reviewed` : "";
  }

  function filter() {
    const wanted = [...new FormData(filters)].filter(([, value]) => value);
    for (const article of articles) {
      article.hidden = !wanted.every(([field, value]) => article.dataset[field] === value);
    }
    for (const section of document.querySelectorAll("main section:not(.failed)")) {
      section.hidden = !section.querySelector("article:not([hidden])");
    }
    for (const button of buttons) {
      button.setAttribute("aria-pressed", String(filters.elements[button.dataset.field].value === button.dataset.value));
    }
    count();
  }

  function select(article) {
    if (current) current.removeAttribute("aria-current");
    current = article;
    current.setAttribute("aria-current", "true");
    current.focus({ preventScroll: true });
    current.scrollIntoView({ block: "start" });
    count();
  }

  function go(step) {
    const visible = shown();
    if (!visible.length) return;
    const at = visible.indexOf(current);
    const next = at < 0 ? (step > 0 ? 0 : visible.length - 1) : at + step;
    select(visible[Math.min(Math.max(next, 0), visible.length - 1)]);
  }

  function mark(article, done) {
    article.classList.toggle("done", done);
    article.querySelector("[data-seen]").checked = done;
    storage.set(article.id, done ? "1" : "");
    count();
  }

  function theme(name) {
    if (name === "automatic") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    document.getElementById("theme").textContent = `Colours: ${name}`;
    storage.set("theme", name);
  }

  function nextTheme() {
    const now = document.documentElement.dataset.theme || "automatic";
    theme(themes[(themes.indexOf(now) + 1) % themes.length]);
  }

  const help = document.getElementById("help");
  const keys = {
    j: () => go(1), n: () => go(1), k: () => go(-1), p: () => go(-1),
    x: () => current && mark(current, !current.classList.contains("done")),
    f: () => filters && filters.elements[0].focus(),
    a: () => filters && filters.reset(),
    t: nextTheme,
    "?": () => help.showModal(),
  };

  document.addEventListener("keydown", (event) => {
    const writes = event.target.closest("select, input:not([type=checkbox]), dialog");
    if (event.ctrlKey || event.altKey || event.metaKey || writes || !Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });
  for (const button of document.querySelectorAll("[data-go]")) {
    button.addEventListener("click", () => go(Number(button.dataset.go)));
  }
  for (const button of buttons) {
    button.addEventListener("click", () => {
      const field = filters.elements[button.dataset.field];
      field.value = field.value === button.dataset.value ? "" : button.dataset.value;
      filter();
    });
  }
  for (const article of articles) {
    article.addEventListener("click", () => {
      if (article !== current) {
        if (current) current.removeAttribute("aria-current");
        current = article;
        current.setAttribute("aria-current", "true");
        count();
      }
    });
    article.querySelector("[data-seen]").addEventListener("change", (event) => mark(article, event.target.checked));
    if (storage.get(article.id)) mark(article, true);
  }
  if (filters) {
    filters.addEventListener("change", filter);
    filters.addEventListener("reset", () => setTimeout(filter));
    filter();
  }
  document.getElementById("theme").addEventListener("click", nextTheme);
  document.getElementById("keys").addEventListener("click", () => help.showModal());
  for (const button of document.querySelectorAll("[data-go], #keys")) button.hidden = !articles.length;
  theme(storage.get("theme") || "automatic");
  document.querySelector(".bar-top").hidden = false;
})();
