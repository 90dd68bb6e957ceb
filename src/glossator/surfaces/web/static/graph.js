// Draws the facts as names joined by lines. The table beside the drawing says the same without this script.
(async () => {
  "use strict";
  const place = document.getElementById("graph");
  if (!place) return;
  const words = document.querySelector(".graph-words");
  const tools = document.querySelector(".graph-tools");
  const advice = words.textContent;

  const answer = await fetch(place.dataset.drawing, { headers: { Accept: "application/json" }, redirect: "error" }).catch(() => null);
  if (!answer?.ok) {
    place.textContent = "The drawing could not be loaded; the table says the same.";
    place.dataset.ready = "failed";
    return;
  }
  const drawing = await answer.json();

  const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const dense = drawing.nodes.length > 150; // smaller dots, so that names lie between them and not upon them
  const look = (zoom) => [
    {
      selector: "node",
      style: {
        label: "data(label)", "font-family": "system-ui, sans-serif", "font-size": 11.5 / zoom, color: colour("--ink"),
        "text-wrap": "wrap", "text-max-width": 105 / zoom, "text-valign": "bottom", "text-margin-y": 2 / zoom,
        "text-background-color": colour("--leaf"), "text-background-opacity": 0.8, "text-background-padding": 1 / zoom,
        width: (dense ? 5 : 8) / zoom, height: (dense ? 5 : 8) / zoom, "background-color": colour("--line-strong"), "overlay-opacity": 0,
      },
    },
    {
      selector: "node[kind = 'who']",
      style: {
        "background-color": colour("--accent"), "font-size": (dense ? 11.5 : 15) / zoom, "font-weight": 600, "text-valign": "top",
        "text-margin-y": -1 / zoom, width: (dense ? 8 : 18) / zoom, height: (dense ? 8 : 18) / zoom, "z-index": 5,
      },
    },
    {
      selector: "edge",
      style: {
        width: 1.3 / zoom, "line-color": colour("--line-strong"), "target-arrow-color": colour("--line-strong"),
        "target-arrow-shape": "triangle", "arrow-scale": 0.7 / zoom, "curve-style": "bezier", label: "data(label)",
        "control-point-step-size": 40, "font-family": "system-ui, sans-serif", "font-size": 10 / zoom,
        color: colour("--quiet"), "text-rotation": "autorotate", "text-background-color": colour("--leaf"),
        "text-background-opacity": 0.9, "text-background-padding": 1 / zoom, "text-wrap": "ellipsis",
        "text-max-width": 95 / zoom, "overlay-opacity": 0,
      },
    },
    { selector: "edge[state = 'superseded']", style: { "line-style": "dashed", "line-color": colour("--warn"), "target-arrow-color": colour("--warn") } },
    { selector: ".unnamed", style: { "text-opacity": 0, "text-background-opacity": 0 } },
    { selector: ".away", style: { opacity: 0.15 } },
    { selector: "edge.meant", style: { "line-color": colour("--accent"), "target-arrow-color": colour("--accent"), width: 2.5 / zoom, "z-index": 9 } },
    { selector: "node.meant", style: { "text-opacity": 1, "text-background-opacity": 0.95, "z-index": 10 } },
  ];

  // The same facts give the same drawing. What is said of somebody stands around them, on a ring or, where it is much,
  // on a spiral; who is spoken of stands in rows that fill the place as well as they can.
  const RING_MAX = 12;
  const WIDER = 1.5; // names are wider than they are high
  const leaves = new Map(drawing.nodes.filter((each) => each.kind === "who").map((each) => [each.id, []]));
  const owned = new Set(leaves.keys());
  for (const edge of drawing.edges) {
    if (!owned.has(edge.target) && leaves.has(edge.source)) { leaves.get(edge.source).push(edge.target); owned.add(edge.target); }
  }
  const spot = (at, count) => {
    const ring = count <= RING_MAX;
    const turn = ring ? (2 * Math.PI * at) / count : 2.39996 * at;
    const far = ring ? 90 + 7 * count : 70 + 40 * Math.sqrt(at + 1);
    return { x: WIDER * far * Math.cos(turn), y: far * Math.sin(turn) };
  };
  const reach = (count) => (count <= RING_MAX ? 90 + 7 * count : 70 + 40 * Math.sqrt(count)) + 45;
  const groups = [...leaves].sort((one, other) => other[1].length - one[1].length);
  const inRows = (columns) => {
    const placed = new Map();
    let top = 0;
    let wide = 0;
    for (let at = 0; at < groups.length; at += columns) {
      const row = groups.slice(at, at + columns);
      const high = Math.max(...row.map(([, of]) => reach(of.length)));
      let left = 0;
      for (const [id, of] of row) {
        const half = WIDER * reach(of.length);
        placed.set(id, { x: left + half, y: top + high });
        left += 2 * half;
      }
      wide = Math.max(wide, left);
      top += 2 * high;
    }
    return { placed, x: (place.clientWidth - 60) / wide, y: (place.clientHeight - 60) / top };
  };
  const rows = groups.map((_, at) => inRows(at + 1)).sort((one, other) => Math.min(other.x, other.y) - Math.min(one.x, one.y))[0];
  const spread = ({ x, y }) => ({ x: x * rows.x, y: y * rows.y }); // so that the rows fill the place
  const where = new Map([...rows.placed].map(([id, at]) => [id, spread(at)]));
  for (const [id, of] of groups) {
    const middle = rows.placed.get(id);
    of.forEach((leaf, at) => {
      const { x, y } = spot(at, of.length);
      where.set(leaf, spread({ x: middle.x + x, y: middle.y + y }));
    });
  }

  const cy = globalThis.cytoscape({
    container: place,
    elements: [
      ...drawing.nodes.map((each) => ({ group: "nodes", data: each, position: where.get(each.id) ?? { x: 0, y: 0 } })),
      ...drawing.edges.map((each) => ({ group: "edges", data: each })),
    ],
    style: look(1),
    layout: { name: "preset", fit: true, padding: 30 },
    minZoom: 0.1,
    maxZoom: 3,
    userZoomingEnabled: false, // the wheel scrolls the page; the buttons come closer
    boxSelectionEnabled: false,
  });

  // Names keep their size on the screen. One that would lie over another is left out until there is room for it.
  const EDGE_NAMES_MAX = 30;
  const meets = (one, other) => one.x1 < other.x2 && other.x1 < one.x2 && one.y1 < other.y2 && other.y1 < one.y2;
  const name = () => {
    cy.elements().removeClass("unnamed");
    cy.style(look(cy.zoom()));
    const kept = [];
    const weight = (each) => (each.hasClass("away") ? -5000 : 0) + (each.isNode() ? 1000 + (each.data("kind") === "who" ? 1000 : 0) + each.data("count") : 0);
    const crowded = cy.edges().length * Math.max(0.3, 1 / cy.zoom()) > EDGE_NAMES_MAX;
    for (const each of cy.elements().toArray().sort((one, other) => weight(other) - weight(one))) {
      if (each.isEdge() && crowded) { each.addClass("unnamed"); continue; }
      const box = each.renderedBoundingBox({ includeNodes: false, includeEdges: false, includeLabels: true, includeOverlays: false });
      if (kept.some((other) => meets(box, other))) each.addClass("unnamed");
      else kept.push(box);
    }
  };
  const whole = () => { cy.fit(undefined, 30); name(); };

  const say = (text) => { words.textContent = text; };
  const clear = () => { cy.elements().removeClass("away meant"); say(advice); };
  cy.on("mouseover", "node", (event) => { event.target.addClass("meant"); place.style.cursor = "pointer"; });
  cy.on("mouseout", "node", (event) => { if (!cy.elements(".away").length) event.target.removeClass("meant"); place.style.cursor = ""; });
  cy.on("mouseover", "edge", (event) => { event.target.addClass("meant"); place.style.cursor = "pointer"; say(event.target.data("words")); });
  cy.on("mouseout", "edge", (event) => { if (!cy.elements(".away").length) event.target.removeClass("meant"); place.style.cursor = ""; });
  cy.on("tap", "edge", (event) => { location.assign(event.target.data("link")); });
  cy.on("tap", "node", (event) => {
    const near = event.target.closedNeighborhood();
    cy.elements().removeClass("meant").addClass("away");
    near.removeClass("away");
    near.edges().addClass("meant");
    event.target.addClass("meant");
    name();
    const edges = near.edges().map((each) => each.data("words"));
    say(`${event.target.data("label")}: ${edges.slice(0, 6).join(" · ")}${edges.length > 6 ? ` · and ${edges.length - 6} more` : ""}`);
  });
  cy.on("tap", (event) => { if (event.target === cy) clear(); });

  const middle = () => ({ x: cy.width() / 2, y: cy.height() / 2 });
  tools.hidden = false;
  tools.addEventListener("click", (event) => {
    switch (event.target.closest("[data-graph]")?.dataset.graph) {
      case "in": cy.zoom({ level: cy.zoom() * 1.4, renderedPosition: middle() }); name(); break;
      case "out": cy.zoom({ level: cy.zoom() / 1.4, renderedPosition: middle() }); name(); break;
      case "fit": clear(); whole(); break;
    }
  });

  const repaint = () => name();
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", repaint);
  new MutationObserver(repaint).observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
  let width = place.clientWidth;
  new ResizeObserver(() => {
    if (place.clientWidth === width) return;
    width = place.clientWidth;
    cy.resize();
    whole();
  }).observe(place);
  cy.on("dragfree", "node", name);
  whole();
  place.dataset.ready = "yes";
  place.drawn = cy;
})();
