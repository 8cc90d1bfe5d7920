// Shows numbers, sentences and choices in the page's elements; page.js says which.
/* global kappacurve */
"use strict";

const explorerShow = (() => {
  const byId = (id) => document.getElementById(id);

  // Four decimals, without a sign before zero. Halves go to the even digit, as in the tables; only
  // odd multiples of 1/32 are halves exactly.
  function four(value) {
    const half = Math.abs((value * 32) % 2) === 1;
    const rounded = half ? (2 * Math.round((value * 1e4) / 2)) / 1e4 : value;
    return rounded.toFixed(4).replace(/^-(0\.0*)$/, "$1");
  }

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

  // ---- what follows the prevalence and the operating point ----

  function prevalence({ own, p }) {
    const text = own ? four(p) : p.toFixed(3);
    say("prevalence-shown", `p = ${text}`);
    byId("prevalence").value = p;
    byId("prevalence").setAttribute("aria-valuetext", text);
    byId("own").setAttribute("aria-pressed", own);
    for (const button of document.querySelectorAll("[data-prevalence]")) {
      button.setAttribute("aria-pressed", !own && p === Number(button.dataset.prevalence));
    }
  }

  function verdict(pair) {
    if (pair.length < 2) {
      say("verdict", "There is one model only: no ranking.");
      return;
    }
    const [one, other] = pair;
    const sides = ["auc", "auk", "h"].map((name) => kappacurve.order(one[name], other[name]));
    const said = [[1, one.label], [-1, other.label], [0, null]].map(([side, label]) => {
      const names = ["AUC", "AUK", "H"].filter((_, i) => sides[i] === side);
      if (names.length === 0) return "";
      const verb = label === null ? "rate" : "prefer";
      return `${listed(names)} ${verb}${names.length === 1 ? "s" : ""} ${label ?? "both the same"}`;
    });
    const disagree = sides[0] !== sides[1];
    const end = disagree ? "AUC and AUK disagree" : "AUC and AUK agree";
    say("verdict", `${said.filter(Boolean).join("; ")}: ${end}.`);
    byId("verdict").classList.toggle("disagree", disagree);
  }

  const listed = (words) => (words.length < 2 ? words.join("")
    : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`);

  function measures(pair) {
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
      if (ranked && values.length === 2 && kappacurve.order(...values) !== 0 && value === Math.max(...values)) {
        cell.append(element("span", "▲", { class: "lead", role: "img", "aria-label": "higher:" }));
      }
      cell.append(element("span", number(value), { class: "value" }));
      row.append(cell);
    }
    return row;
  }

  const number = (value) => (Number.isFinite(value) ? four(value) : value > 0 ? "∞" : "-∞");

  function point({ curve, index, f, t, kappa, threshold }, { positiveClass, pointModel, best }) {
    const slider = byId("point");
    slider.max = curve.f.length - 1;
    slider.value = index;
    const values = { threshold: number(threshold), f: four(f), t: four(t), kappa: four(kappa) };
    const said = Object.entries(values).map((pair) => pair.join(" ")).join(", ");
    slider.setAttribute("aria-valuetext", said);
    byId("point-values").replaceChildren(...Object.entries(values).flatMap(([name, value]) =>
      [element("dt", name), element("dd", value, { "data-value": name })]));
    byId("best").setAttribute("aria-pressed", best);
    const other = positiveClass === "good" ? "bad" : "good";
    const side = positiveClass === "good" ? "at or below" : "at or above";
    byId("point-counts").textContent = Number.isFinite(threshold)
      ? `Scores ${side} the threshold are called ${positiveClass}: ${curve.tp[index]} of `
        + `${curve.nPositive} ${positiveClass} test rows and ${curve.fp[index]} of ${curve.nNegative} ${other} ones.`
      : `No row is called ${positiveClass}.`;
    for (const radio of document.querySelectorAll("[name=point-model]")) {
      radio.checked = Number(radio.value) === pointModel;
    }
  }

  function published(pairs, optimum, p) {
    const rows = pairs.map((one) => {
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
    const { fpr, tpr, kappa_max: printed } = optimum;
    const kappa = kappacurve.kappa(fpr, tpr, p);
    byId("published-optimum").textContent = `The printed operating point of the network, f = ${fpr} `
      + `and t = ${tpr}, has kappa ${kappa.toFixed(3)} at this p; printed is ${printed}.`;
  }

  // ---- what stays while the prevalence moves ----

  function replicates(all) {
    byId("replicate").replaceChildren(...all.map(({ number }, i) =>
      element("option", number === 0 ? "0 (the tables)" : number, { value: i })));
  }

  function choices({ names, replicate, kind }, pair, there) {
    for (const [i, select] of [byId("model-0"), byId("model-1")].entries()) {
      select.closest("label").hidden = i >= names.length;
      select.replaceChildren(...there.map((one) => element("option", one.label, { value: one.name })));
      if (i < names.length) select.value = names[i];
    }
    byId("replicate").value = replicate;
    for (const span of document.querySelectorAll("[data-star]")) span.hidden = kind !== "hull";
    for (const key of document.querySelectorAll("[data-key]")) {
      key.replaceChildren(...(key.dataset.key === "pair" ? pair : there).map(sample));
    }
  }

  function pointModels(pair, steer) {
    byId("point-model").replaceChildren(...pair.map((one, i) => {
      const label = element("label");
      const radio = element("input", "", { type: "radio", name: "point-model", value: i });
      radio.addEventListener("change", () => steer(i));
      label.append(radio, sample(one));
      return label;
    }));
  }

  // The test rows, and a button for each split in which AUC and AUK disagree (null: one model).
  function split({ nPositive, nNegative }, total, reversed, show) {
    const note = byId("split-note");
    note.replaceChildren(`${nPositive + nNegative} test rows, ${nPositive} good and ${nNegative} bad.`);
    if (reversed === null) return;
    note.append(" AUC and AUK disagree on this pair, each split at its own prevalence, in "
      + `${reversed.length} of the ${total} splits here${reversed.length ? ": " : "."}`);
    for (const { number } of reversed) {
      const name = { type: "button", "aria-label": `show replicate ${number}` };
      const button = element("button", number, name);
      button.addEventListener("click", () => show(number));
      note.append(button);
    }
  }

  function crossings(places, compares) {
    const found = places.length
      ? `Here they change places at p = ${listed(places.map((p) => p.toFixed(3)))}.`
      : "Here the lines do not cross.";
    say("crossings", compares ? found : "");
  }

  return {
    prevalence, verdict, measures, point, published,
    replicates, choices, pointModels, split, crossings,
  };
})();
