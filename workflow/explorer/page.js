// The page: what the reader has chosen, what follows from it, and the controls that change it.
/* global kappacurve, explorerPlots, explorerShow */
"use strict";

(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const byId = (id) => document.getElementById(id);
  const payload = read("payload");
  const named = Object.fromEntries(payload.models.map((one) => [one.name, one]));
  const { EDGE } = explorerPlots;
  const GRID = Array.from({ length: 99 }, (_, i) => EDGE + ((1 - 2 * EDGE) * i) / 98);
  const { order } = kappacurve;

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
    return {
      ...named[name],
      curve,
      auc: kappacurve.auc(curve),
      auk: kappacurve.auk(curve, p),
      h: kappacurve.hMeasure(both.hull, p),
      best: state.kind === "hull" ? best.index : both.hull.vertex[best.index],
      kappaMax: best.kappa,
    };
  }

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
    showChosen();
    update();
  }

  function showChosen() {
    const { replicate, crossings } = chosen;
    const pair = state.names.map((name) => named[name]);
    explorerShow.choices(state, pair, modelsOf(replicate));
    explorerShow.pointModels(pair, steerModel);
    const { raw } = curvesOf(replicate, state.names[0], "good");
    explorerShow.split(raw, payload.replicates.length, pair.length < 2 ? null : reversedSplits(), showReplicate);
    explorerShow.crossings(crossings.map(([p]) => p), pair.length === 2);
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
    explorerShow.prevalence(state);
    explorerShow.verdict(pair);
    explorerShow.measures(pair);
    explorerShow.point(shown.point, state);
    explorerShow.published(published, optimum, p);
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

  // ---- steering ----

  // The vertex of the steered model's curve that is nearest to a point of the ROC plane.
  function nearest({ f, t }) {
    if (state.best) return;
    const { curve } = evaluate(chosen.replicate, state.names[state.pointModel], state.p);
    const distance = curve.f.map((one, i) => Math.hypot(one - f, curve.t[i] - t));
    state.point = distance.indexOf(Math.min(...distance));
  }

  function steerModel(i) {
    state.pointModel = i;
    nearest(shown.point);
    update();
  }

  function showReplicate(number) {
    state.replicate = payload.replicates.findIndex((one) => one.number === number);
    state.own = true;
    rechoose();
    byId("replicate").focus();
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
    explorerShow.replicates(payload.replicates);
    await explorerPlots.open(read("plots"));
    listenToTheme();
    choose();
    listen();
    document.documentElement.dataset.ready = "yes";
  }

  start();
})();
