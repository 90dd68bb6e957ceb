// Draws latency and queue, and asks for newer figures until it is paused. The table has the same without this script.
(() => {
  "use strict";
  const place = document.getElementById("charts");
  const words = document.getElementById("charts-words");
  const button = document.getElementById("charts-switch");
  const table = document.getElementById("figures");
  const every = Number(button.dataset.every) * 1000;
  const HEIGHT = 200;
  const ROWS = 12;
  let figures = null;
  let charts = [];
  let paused = false;
  let timer = 0;

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const ms = (value) => (value == null ? "–" : `${value.toFixed(1)} ms`);
  const whole = (value) => (value == null ? "–" : String(value));
  const clock = (seconds) => new Date(seconds * 1000).toISOString().slice(11, 19);

  const lines = (name) => {
    if (name === "queue") {
      return {
        values: [figures.at, figures.pending, figures.failed], unit: whole, range: [0, 1],
        series: [{ label: "waiting", stroke: colour("--accent"), fill: colour("--accent-wash") }, { label: "given up", stroke: colour("--bad"), dash: [6, 4] }],
      };
    }
    const of = figures.latencies[name];
    return {
      values: [figures.at, of.median_ms, of.slow_ms], unit: ms, range: [0, 1],
      series: [{ label: "median", stroke: colour("--accent") }, { label: "95 % are faster", stroke: colour("--warn"), dash: [6, 4] }],
    };
  };

  const latest = (chart) => { // where nobody points, the last figures stand in the legend
    if (chart.cursor.idx == null) chart.setLegend({ idx: chart.data[0].length - 1 }, false);
  };

  const draw = () => {
    for (const each of charts) each.destroy();
    charts = [];
    for (const spot of place.querySelectorAll("[data-chart]")) {
      const { values, series, unit } = lines(spot.dataset.chart);
      const none = values.slice(1).every((line) => line.every((value) => value == null));
      spot.replaceChildren();
      if (none) {
        const note = document.createElement("p");
        note.className = "empty-line";
        note.textContent = `No ${spot.dataset.chart} in the last hour. It stands here as soon as somebody calls it.`;
        spot.append(note);
        continue;
      }
      const axis = { stroke: colour("--quiet"), grid: { stroke: colour("--line"), width: 1 }, ticks: { stroke: colour("--line"), width: 1 }, font: "12px system-ui, sans-serif" };
      const chart = new globalThis.uPlot({
        width: spot.clientWidth, height: HEIGHT,
        tzDate: (seconds) => globalThis.uPlot.tzDate(new Date(seconds * 1000), "Etc/UTC"),
        cursor: { points: { size: 7 } },
        hooks: { draw: [latest], setCursor: [latest] },
        scales: { y: { range: (_, least, most) => [0, Math.max(1, most * 1.1)] } },
        axes: [{ ...axis, space: 80, values: (_, ticks, __, ___, step) => ticks.map((tick) => (step < 60 ? clock(tick) : clock(tick).slice(0, 5))) }, { ...axis, size: 68, values: (_, ticks) => ticks.map((tick) => (spot.dataset.chart === "queue" ? (Number.isInteger(tick) ? tick : "") : `${tick} ms`)) }],
        series: [
          { label: "at (UTC)", value: (_, seconds) => (seconds == null ? "–" : clock(seconds)) },
          ...series.map((each) => ({ width: 2, points: { show: values[0].length < 3 ? true : undefined }, value: (_, value) => unit(value), ...each })),
        ],
      }, values, spot);
      charts.push(chart);
    }
    place.dataset.ready = "yes";
  };

  const cell = (text) => {
    const made = document.createElement("td");
    made.className = "number";
    made.textContent = text;
    return made;
  };
  const tabulate = () => {
    const rows = [];
    for (let at = figures.at.length - 1; at >= Math.max(0, figures.at.length - ROWS); at -= 1) {
      const row = document.createElement("tr");
      const head = document.createElement("th");
      head.scope = "row";
      head.textContent = clock(figures.at[at]);
      row.append(head);
      for (const verb of ["recall", "record"]) {
        const of = figures.latencies[verb];
        row.append(cell(of.median_ms[at]?.toFixed(1) ?? "–"), cell(of.slow_ms[at]?.toFixed(1) ?? "–"), cell(of.calls[at]));
      }
      row.append(cell(figures.pending[at]), cell(figures.failed[at]));
      rows.push(row);
    }
    table.replaceChildren(...rows);
  };

  const say = (text) => { if (words.textContent !== text) words.textContent = text; };
  const going = words.textContent;
  const ask = async () => {
    const answer = await fetch(place.dataset.figures, { headers: { Accept: "application/json", "HX-Request": "true" }, redirect: "error" }).catch(() => null);
    if (answer?.status === 401) location.reload(); // nobody is logged in any more: the log-in leads back here
    if (!answer?.ok) {
      say(answer ? `The server answered with ${answer.status}; the figures are no longer fresh.` : "The server does not answer; the figures are no longer fresh.");
      return;
    }
    figures = await answer.json();
    if (!paused) say(going);
    place.hidden = false;
    draw();
    tabulate();
  };
  const again = async () => {
    if (!document.hidden) await ask();
    if (!paused) timer = setTimeout(again, every);
  };

  button.parentElement.hidden = false;
  button.addEventListener("click", () => {
    paused = !paused;
    button.textContent = paused ? "Go on" : "Pause";
    clearTimeout(timer);
    say(paused ? "Paused; nothing on this page moves." : going);
    if (!paused) again();
  });
  const repaint = () => { if (figures) draw(); };
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  new MutationObserver(repaint).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  let width = 0;
  new ResizeObserver(() => {
    if (place.clientWidth === width) return;
    width = place.clientWidth;
    repaint();
  }).observe(place);
  again();
})();
