// Keys, the theme switch, menus and sliders. Without this script every page still works by links and forms.
(() => {
  "use strict";
  const ITEMS = "[data-item]";
  const PLACES = { s: "search", f: "facts", t: "timeline", c: "conversations" };
  const root = document.documentElement;

  // The theme: as the system has it, light, dark.
  const themeSwitch = document.querySelector("[data-theme-switch]");
  const say = () => {
    const theme = root.dataset.theme || "as the system has it";
    themeSwitch.setAttribute("aria-label", `Theme: ${theme}`);
    themeSwitch.title = `Theme: ${theme}`;
  };
  if (themeSwitch) {
    themeSwitch.hidden = false;
    say();
    themeSwitch.addEventListener("click", () => {
      const next = { "": "light", light: "dark", dark: "" }[root.dataset.theme || ""];
      if (next) root.dataset.theme = next;
      else delete root.dataset.theme;
      try {
        if (next) localStorage.setItem("glossator-theme", next);
        else localStorage.removeItem("glossator-theme");
      } catch { /* it holds for this page then */ }
      say();
    });
  }

  // What needs this script to be of use.
  for (const each of document.querySelectorAll("[data-scripted]")) each.hidden = false;

  // The keys and their dialog.
  const keys = document.getElementById("keys");
  const opener = document.querySelector("[data-keys-open]");
  if (opener) {
    opener.hidden = false;
    opener.addEventListener("click", () => keys.showModal());
  }
  const typing = (target) => target.closest("input, textarea, select, [contenteditable]") !== null;
  const target = (item) => item.querySelector("[data-open]") || item.querySelector("a[href], button, summary");

  const step = (by) => {
    const items = [...document.querySelectorAll(ITEMS)].filter((each) => each.offsetParent !== null);
    if (items.length === 0) return;
    const now = items.findIndex((each) => each.contains(document.activeElement));
    const next = items[Math.max(0, Math.min(items.length - 1, now < 0 ? (by > 0 ? 0 : items.length - 1) : now + by))];
    target(next)?.focus({ preventScroll: true });
    next.scrollIntoView({ block: "nearest" });
  };

  let going = 0;
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || keys?.open || typing(event.target)) return;
    if (Date.now() - going < 1500 && PLACES[event.key]) {
      const link = [...document.querySelectorAll(".places a")].find(
        (each) => new URL(each.href).pathname.endsWith(`/${PLACES[event.key]}`),
      );
      if (link) { event.preventDefault(); link.click(); }
      going = 0;
      return;
    }
    switch (event.key) {
      case "/": {
        const field = document.querySelector("[data-search]");
        if (field) { event.preventDefault(); field.focus(); field.select(); }
        else location.assign(document.querySelector(".places a").href);
        break;
      }
      case "j": step(1); break;
      case "k": step(-1); break;
      case "g": going = Date.now(); break;
      case "?": event.preventDefault(); keys.showModal(); break;
    }
  });

  // Menus close when something else is meant.
  document.addEventListener("click", (event) => {
    for (const menu of document.querySelectorAll("details[data-menu][open]")) {
      if (!menu.contains(event.target)) menu.open = false;
    }
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    for (const menu of document.querySelectorAll("details[data-menu][open]")) {
      menu.open = false;
      menu.querySelector("summary").focus();
    }
  });

  // A part of a page that did not come is told where its summary stands.
  for (const failed of ["htmx:sendError", "htmx:timeout"]) {
    document.addEventListener(failed, () => {
      const summary = document.getElementById("summary");
      if (summary) summary.textContent = "The server did not answer. Is it still running?";
    });
  }

  // A slider of days drives the date field beside it, which is what the form sends.
  document.addEventListener("input", (event) => {
    const slider = event.target.closest("[data-days]");
    if (slider) {
      const day = new Date(Date.parse(`${slider.dataset.days}T00:00:00Z`) + slider.valueAsNumber * 86_400_000);
      const field = document.getElementById(slider.dataset.field);
      field.value = day.toISOString().slice(0, 10);
      slider.setAttribute("aria-valuetext", field.value);
    }
    const field = event.target.closest("[data-slider]");
    if (field?.value) {
      const moved = document.getElementById(field.dataset.slider);
      moved.value = Math.round((Date.parse(field.value) - Date.parse(moved.dataset.days)) / 86_400_000);
    }
  });
})();
