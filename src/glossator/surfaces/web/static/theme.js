// Before anything is painted: the theme that was chosen here, if any.
(() => {
  let chosen = null;
  try { chosen = localStorage.getItem("glossator-theme"); } catch { /* storage is switched off: the system decides */ }
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
})();
