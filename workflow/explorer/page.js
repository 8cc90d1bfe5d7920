// The page: its controls, what they choose, and the numbers that are shown.
/* global kappacurve, explorerPlots */
"use strict";

(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const byId = (id) => document.getElementById(id);
  const payload = read("payload");
  const named = Object.fromEntries(payload.models.map((one) => [one.name, one]));
  const { EDGE } = explorerPlots;
  const GRID = Array.from({ length: 99 }, (_, i) => EDGE + ((1 - 2 * EDGE) * i) / 98);
  const SAME = 1e-12; // areas nearer to each other than this are the same
  const four = (value) => value.toFixed(4).replace(/^-(0\.0*)$/, "$1");

  // What the reader has chosen; `own`: the prevalence of the tables; `best`: the largest kappa.
  const state = {
    positiveClass: "good",
    kind: "hull",
    names: payload.models.slice(0, 2).map((one) => one.name),
    replicate: 0,
    own: true,
    p: 0.5,
    pointModel: 0,
    best: true,
    point: 0,
  };

  // ---- what is computed ----

  const curves = new Map();
  function curvesOf(replicate, name, positiveClass) {
    const key = `${replicate.number} ${positiveClass} ${name}`;
    if (!curves.has(key)) {
      const raw = kappacurve.rawCurve(replicate.models[name], positiveClass);
      curves.set(key, { raw, hull: kappacurve.hullOf(raw) });
    }
    return curves.get(key);
  }

  const replicateNow = () => payload.replicates[state.replicate];
  const modelsOf = (replicate) => payload.models.filter((one) => one.name in replicate.models);

  function ownPrevalence(replicate, positiveClass) {
    if (payload.skew !== null) return positiveClass === "bad" ? payload.skew : 1 - payload.skew;
    const { raw } = curvesOf(replicate, modelsOf(replicate)[0].name, positiveClass);
    return raw.nPositive / (raw.nPositive + raw.nNegative);
  }

  // Measures of a model at a prevalence, as in a row of results/paper/measures.csv.
  function evaluate(replicate, name, p) {
    const both = curvesOf(replicate, name, state.positiveClass);
    const curve = both[state.kind];
    const best = kappacurve.optimum(both.hull, p);
    const vertex = curve.threshold.indexOf(both.hull.threshold[best.index]);
    return {
      ...named[name],
      curve,
      auc: kappacurve.auc(curve),
      auk: kappacurve.auk(curve, p),
      h: kappacurve.hMeasure(both.hull, p),
      best: vertex,
      kappaMax: best.kappa,
    };
  }

  const order = (one, other) => (Math.abs(one - other) < SAME ? 0 : Math.sign(one - other));

  // Parts of the prevalence axis in which AUC and AUK order the pair differently.
  function whereTheyDisagree(pair, places) {
    const ends = [0, ...places, 1];
    const byAuc = order(pair[0].auc, pair[1].auc);
    return ends.slice(1).map((high, i) => [ends[i], high]).filter(([low, high]) => {
      const p = (low + high) / 2;
      const byAuk = order(kappacurve.auk(pair[0].curve, p), kappacurve.auk(pair[1].curve, p));
      return byAuc * byAuk < 0;
    });
  }

  // Split numbers in which AUC and AUK disagree on the pair at their own prevalence.
  function reversedSplits() {
    const [one, other] = state.names;
    return payload.replicates.filter((replicate) => {
      if (!(one in replicate.models && other in replicate.models)) return false;
      const p = ownPrevalence(replicate, state.positiveClass);
      const [a, b] = [one, other].map((name) => curvesOf(replicate, name, state.positiveClass)[state.kind]);
      const byAuk = order(kappacurve.auk(a, p), kappacurve.auk(b, p));
      return order(kappacurve.auc(a), kappacurve.auc(b)) * byAuk < 0;
    });
  }

  // ---- what does not depend on the prevalence: computed once for each choice ----

  let chosen = {};
  function choose() {
    const replicate = replicateNow();
    keepToModelsOf(replicate);
    const all = modelsOf(replicate).map((one) => evaluate(replicate, one.name, 0.5));
    const pair = state.names.map((name) => all.find((one) => one.name === name));
    const auks = pair.map((one) => GRID.map((p) => kappacurve.auk(one.curve, p)));
    const places = pair.length === 2
      ? kappacurve.crossings(pair[0].curve, pair[1].curve, [EDGE, 1 - EDGE]) : [];
    chosen = {
      replicate,
      overPrevalence: { grid: GRID, auks },
      crossings: places.map((p) => [p, kappacurve.auk(pair[0].curve, p)]),
      disagree: pair.length === 2 ? whereTheyDisagree(pair, places) : [],
      limits: limitsOf(all),
    };
    explorerPlots.setLimits(chosen.limits);
    showChoices();
    showSplit();
    showCrossings(pair);
    update();
  }

  // A model that was not run in this replicate gives way to one that was.
  function keepToModelsOf(replicate) {
    const there = modelsOf(replicate).map((one) => one.name);
    const kept = state.names.filter((name) => there.includes(name));
    const spare = there.filter((name) => !kept.includes(name));
    while (kept.length < Math.min(2, there.length)) kept.push(spare.shift());
    state.names = kept;
    state.pointModel = Math.min(state.pointModel, kept.length - 1);
  }

  function limitsOf(all) {
    const areas = all.flatMap((one) => GRID.map((p) => kappacurve.auk(one.curve, p)));
    const kappas = all.flatMap((one) => [0.1, 0.3, 0.5, 0.7, 0.9].flatMap((p) =>
      one.curve.f.map((f, i) => kappacurve.kappa(f, one.curve.t[i], p))));
    const aucs = [...all, ...payload.published].map((one) => one.auc);
    return {
      kappa: [Math.min(-0.05, Math.min(...kappas) - 0.02), Math.max(0.4, Math.max(...kappas) + 0.05)],
      auc: [Math.max(0, Math.min(0.6, Math.min(...aucs) - 0.03)), Math.min(1, Math.max(0.9, Math.max(...aucs) + 0.03))],
      auk: [Math.min(-0.02, Math.min(...areas) - 0.01), Math.max(0.35, Math.max(...areas) + 0.03)],
    };
  }

  // ---- what follows the prevalence and the operating point ----

  let shown = {};
  function update() {
    const { replicate } = chosen;
    if (state.own) state.p = ownPrevalence(replicate, state.positiveClass);
    const p = state.p;
    const all = modelsOf(replicate).map((one) => evaluate(replicate, one.name, p));
    const pair = state.names.map((name) => all.find((one) => one.name === name));
    for (const one of pair) one.fine = kappacurve.alongSegments(one.curve);
    const published = payload.published.map((one) => {
      const bounds = kappacurve.aukBounds(one.auc, p, one.curve === "hull" ? "concave" : "monotone");
      return { ...one, bounds, inside: one.auk >= bounds.lower && one.auk <= bounds.upper };
    });
    const showsPaper = state.kind === "hull";
    const { optimum } = payload;
    shown = { ...chosen, p, all, pair, published, showsPaper, optimum };
    shown.point = pointOf(pair[state.pointModel], p);
    explorerPlots.draw(shown);
    showPrevalence();
    showMeasures();
    showPoint();
    showPublished();
  }

  function pointOf(model, p) {
    const { curve } = model;
    if (state.best) state.point = model.best;
    const i = state.point = Math.min(state.point, curve.f.length - 1);
    const [f, t] = [curve.f[i], curve.t[i]];
    const kappa = kappacurve.kappa(f, t, p);
    return { f, t, kappa, threshold: curve.threshold[i], color: model.color, curve, index: i };
  }

  let asked = false;
  function updateSoon() {
    if (asked) return;
    asked = true;
    requestAnimationFrame(() => { asked = false; update(); });
  }

  // ---- showing ----

  function element(tag, text = "", attributes = {}) {
    const made = document.createElement(tag);
    made.textContent = text;
    for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, value);
    return made;
  }

  // Only a change is announced by a screen reader.
  function say(id, text) {
    if (byId(id).textContent !== text) byId(id).textContent = text;
  }

  const MARKERS = {
    circle: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z",
    square: "M-5-5h10v10h-10z",
    triangle: "M0-6L6 5H-6z",
    diamond: "M0-6L5 0L0 6L-5 0z",
    inverted_triangle: "M0 6L6-5H-6z",
    plus: "M-5-2h3v-3h4v3h3v4h-3v3h-4v-3h-3z",
  };

  // A model's line and marker, as in the plots, before its name.
  function sample(model) {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const size = { width: 40, height: 14, viewBox: "-20 -7 40 14", "aria-hidden": "true" };
    for (const [name, value] of Object.entries(size)) svg.setAttribute(name, value);
    for (const [d, look] of [
      ["M-20 0H20", { stroke: model.color, "stroke-width": 2, "stroke-dasharray": model.dash.join(" ") || "none" }],
      [MARKERS[model.marker], { fill: model.color }],
    ]) {
      const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
      for (const [name, value] of Object.entries({ d, ...look })) path.setAttribute(name, value);
      svg.append(path);
    }
    const made = element("span", "", { class: "sample" });
    made.append(svg, model.label);
    return made;
  }

  function showPrevalence() {
    const text = state.own ? four(state.p) : state.p.toFixed(3);
    say("prevalence-shown", `p = ${text}`);
    byId("prevalence").value = state.p;
    byId("prevalence").setAttribute("aria-valuetext", text);
    byId("own").setAttribute("aria-pressed", state.own);
    for (const button of document.querySelectorAll("[data-prevalence]")) {
      const pressed = !state.own && state.p === Number(button.dataset.prevalence);
      button.setAttribute("aria-pressed", pressed);
    }
    const verdict = verdictOn(shown.pair);
    say("verdict", verdict.text);
    byId("verdict").classList.toggle("disagree", verdict.disagree);
  }

  function verdictOn(pair) {
    if (pair.length < 2) return { text: "There is one model only: no ranking.", disagree: false };
    const [one, other] = pair;
    const byMeasure = ["auc", "auk", "h"].map((name) => order(one[name], other[name]));
    const said = [[1, one.label], [-1, other.label], [0, null]].map(([side, label]) => {
      const names = ["AUC", "AUK", "H"].filter((_, i) => byMeasure[i] === side);
      if (names.length === 0) return "";
      const verb = names.length === 1 ? (label ? "prefers" : "rates") : (label ? "prefer" : "rate");
      return `${listed(names)} ${verb} ${label ?? "both the same"}`;
    });
    const disagree = byMeasure[0] !== byMeasure[1];
    const end = disagree ? "AUC and AUK disagree" : "AUC and AUK agree";
    return { text: `${said.filter(Boolean).join("; ")}: ${end}.`, disagree };
  }

  const listed = (words) => (words.length < 2 ? words.join("")
    : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

  function showMeasures() {
    const { pair } = shown;
    const rows = [
      ["AUC", "auc", pair.map((one) => one.auc), true],
      ["AUK", "auk", pair.map((one) => one.auk), true],
      ["H", "h", pair.map((one) => one.h), true],
      ["maximum kappa", "kappa_max", pair.map((one) => one.kappaMax), true],
      ["at f", "fpr", pair.map((one) => one.curve.f[one.best])],
      ["at t", "tpr", pair.map((one) => one.curve.t[one.best])],
      ["at threshold", "threshold", pair.map((one) => one.curve.threshold[one.best])],
    ];
    const head = element("tr");
    head.append(element("th", "measure", { scope: "col" }));
    for (const one of pair) {
      const cell = element("th", "", { scope: "col" });
      cell.append(sample(one));
      head.append(cell);
    }
    byId("measures").tHead.replaceChildren(head);
    byId("measures").tBodies[0].replaceChildren(...rows.map((row) => measureRow(...row)));
  }

  function measureRow(label, name, values, ranked = false) {
    const row = element("tr", "", { "data-measure": name });
    row.append(element("th", label, { scope: "row" }));
    for (const value of values) {
      const cell = element("td");
      if (ranked && values.length === 2 && order(...values) !== 0 && value === Math.max(...values)) {
        cell.append(element("span", "▲", { class: "lead", role: "img", "aria-label": "higher:" }));
      }
      cell.append(element("span", number(value), { class: "value" }));
      row.append(cell);
    }
    return row;
  }

  const number = (value) => (Number.isFinite(value) ? four(value) : value > 0 ? "∞" : "-∞");

  function showPoint() {
    const { curve, index, f, t, kappa, threshold } = shown.point;
    const slider = byId("point");
    slider.max = curve.f.length - 1;
    slider.value = index;
    const values = { threshold: number(threshold), f: four(f), t: four(t), kappa: four(kappa) };
    const said = Object.entries(values).map((pair) => pair.join(" ")).join(", ");
    slider.setAttribute("aria-valuetext", said);
    byId("point-values").replaceChildren(...Object.entries(values).flatMap(([name, value]) =>
      [element("dt", name), element("dd", value, { "data-value": name })]));
    byId("best").setAttribute("aria-pressed", state.best);
    const { positiveClass } = state;
    const other = positiveClass === "good" ? "bad" : "good";
    const side = positiveClass === "good" ? "at or below" : "at or above";
    byId("point-counts").textContent = Number.isFinite(threshold)
      ? `Scores ${side} the threshold are called ${positiveClass}: ${curve.tp[index]} of `
        + `${curve.nPositive} ${positiveClass} test rows and ${curve.fp[index]} of ${curve.nNegative} ${other} ones.`
      : `No row is called ${positiveClass}.`;
    for (const radio of document.querySelectorAll("[name=point-model]")) {
      radio.checked = Number(radio.value) === state.pointModel;
    }
  }

  function showPublished() {
    const rows = shown.published.map((one) => {
      const row = element("tr");
      row.append(element("th", `${one.place}, ${one.label}`, { scope: "row" }));
      const { lower, upper } = one.bounds;
      const possible = element("td");
      possible.append(
        element("span", `${four(lower)} to ${four(upper)}`, { class: "range" }), " ",
        element("span", one.inside ? "inside" : "outside", { class: one.inside ? "yes" : "no" }),
      );
      row.append(element("td", four(one.auc)), element("td", four(one.auk)), possible);
      return row;
    });
    byId("published").tBodies[0].replaceChildren(...rows);
    const { fpr, tpr, kappa_max: printed } = payload.optimum;
    const kappa = kappacurve.kappa(fpr, tpr, shown.p);
    byId("published-optimum").textContent = `The printed operating point of the network, f = ${fpr} `
      + `and t = ${tpr}, has kappa ${kappa.toFixed(3)} at this p; printed is ${printed}.`;
  }

  // ---- showing what was chosen ----

  function showChoices() {
    const there = modelsOf(chosen.replicate);
    for (const [i, select] of [byId("model-0"), byId("model-1")].entries()) {
      select.closest("label").hidden = i >= state.names.length;
      select.replaceChildren(...there.map((one) => element("option", one.label, { value: one.name })));
      if (i < state.names.length) select.value = state.names[i];
    }
    byId("replicate").value = state.replicate;
    for (const span of document.querySelectorAll("[data-star]")) span.hidden = state.kind !== "hull";
    const pair = state.names.map((name) => named[name]);
    for (const key of document.querySelectorAll("[data-key]")) {
      key.replaceChildren(...(key.dataset.key === "pair" ? pair : there).map(sample));
    }
    byId("point-model").replaceChildren(...pair.map((one, i) => {
      const label = element("label");
      const radio = element("input", "", { type: "radio", name: "point-model", value: i });
      radio.addEventListener("change", () => { state.pointModel = i; nearest(shown.point); update(); });
      label.append(radio, sample(one));
      return label;
    }));
  }

  function showSplit() {
    const { raw } = curvesOf(chosen.replicate, state.names[0], "good");
    const note = byId("split-note");
    note.replaceChildren(`${raw.nPositive + raw.nNegative} test rows, ${raw.nPositive} good and ${raw.nNegative} bad.`);
    if (state.names.length < 2) return;
    const reversed = reversedSplits();
    const share = `${reversed.length} of the ${payload.replicates.length} splits here`;
    note.append(` AUC and AUK disagree on this pair, each split at its own prevalence, in ${share}`);
    note.append(reversed.length ? ": " : ".");
    for (const replicate of reversed) {
      const button = element("button", replicate.number, { type: "button", "aria-label": `show replicate ${replicate.number}` });
      button.addEventListener("click", () => {
        state.replicate = payload.replicates.indexOf(replicate);
        state.own = true;
        choose();
        byId("replicate").focus();
      });
      note.append(button);
    }
  }

  function showCrossings(pair) {
    const places = chosen.crossings.map(([p]) => p.toFixed(3));
    say("crossings", pair.length < 2 ? "" : places.length
      ? `Here they change places at p = ${listed(places)}.`
      : "Here the lines do not cross.");
  }

  // ---- steering ----

  // The vertex of the steered model's curve that is nearest to a point of the ROC plane.
  function nearest({ f, t }) {
    if (state.best) return;
    const { curve } = evaluate(chosen.replicate, state.names[state.pointModel], state.p);
    const distance = curve.f.map((one, i) => Math.hypot(one - f, curve.t[i] - t));
    state.point = distance.indexOf(Math.min(...distance));
  }

  function setPrevalence(p) {
    state.own = false;
    state.p = p;
    updateSoon();
  }

  // The pointer takes the nearest vertex of either curve, in the units of the plot it is in.
  function followPointer({ plot, x, y }) {
    const { kappa } = chosen.limits;
    const height = plot === "roc" ? 1 : kappa[1] - kappa[0];
    let least = Infinity;
    for (const [m, { curve }] of shown.pair.entries()) {
      for (let i = 0; i < curve.f.length; i++) {
        const at = plot === "roc" ? curve.t[i] : kappacurve.kappa(curve.f[i], curve.t[i], state.p);
        const distance = Math.hypot(curve.f[i] - x, (at - y) / height);
        if (distance < least) [least, state.pointModel, state.point] = [distance, m, i];
      }
    }
    state.best = false;
    updateSoon();
  }

  function choosePositiveClass(value) {
    state.positiveClass = value;
    if (!state.own) state.p = Math.round((1 - state.p) * 1000) / 1000; // the population stays
    // The same threshold, seen from the other class.
    const point = { f: 1 - shown.point.t, t: 1 - shown.point.f };
    rechoose(point);
  }

  // The model of the other place changes places with this one's.
  function chooseModel(i, name) {
    if (state.names[1 - i] === name) state.names[1 - i] = state.names[i];
    state.names[i] = name;
    rechoose();
  }

  function rechoose(point = shown.point) {
    keepToModelsOf(replicateNow());
    chosen.replicate = replicateNow();
    nearest(point);
    choose();
  }

  function listen() {
    byId("prevalence").addEventListener("input", (event) => setPrevalence(Number(event.target.value)));
    for (const button of document.querySelectorAll("[data-prevalence]")) {
      button.addEventListener("click", () => setPrevalence(Number(button.dataset.prevalence)));
    }
    byId("own").addEventListener("click", () => { state.own = true; update(); });
    byId("best").addEventListener("click", () => { state.best = true; update(); });
    byId("point").addEventListener("input", (event) => {
      state.best = false;
      state.point = Number(event.target.value);
      updateSoon();
    });
    for (const radio of document.querySelectorAll("[name=positive-class]")) {
      radio.addEventListener("change", () => choosePositiveClass(radio.value));
    }
    for (const radio of document.querySelectorAll("[name=curve]")) {
      radio.addEventListener("change", () => { state.kind = radio.value; rechoose(); });
    }
    for (const i of [0, 1]) {
      byId(`model-${i}`).addEventListener("change", (event) => chooseModel(i, event.target.value));
    }
    byId("replicate").addEventListener("change", (event) => { state.replicate = Number(event.target.value); rechoose(); });
    document.addEventListener("explorer-pointed", (event) => followPointer(event.detail));
  }

  // ---- light and dark ----

  function setTheme(dark) {
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    byId("theme").setAttribute("aria-pressed", dark);
    explorerPlots.paint();
    if (shown.pair) explorerPlots.draw(shown);
  }

  function listenToTheme() {
    const system = matchMedia("(prefers-color-scheme: dark)");
    let asked = false; // the reader's own choice stays
    system.addEventListener("change", () => { if (!asked) setTheme(system.matches); });
    byId("theme").addEventListener("click", () => {
      asked = true;
      setTheme(document.documentElement.dataset.theme !== "dark");
    });
    setTheme(system.matches);
  }

  async function start() {
    byId("replicate").replaceChildren(...payload.replicates.map((one, i) =>
      element("option", one.number === 0 ? "0 (the tables)" : one.number, { value: i })));
    await explorerPlots.open(read("plots"));
    listenToTheme();
    choose();
    listen();
    document.documentElement.dataset.ready = "yes";
  }

  start();
})();
