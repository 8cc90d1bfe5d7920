// The four plots: fills their sources from what page.js computed, and gives them the page's colours.
/* global Bokeh, kappacurve */
"use strict";

const explorerPlots = (() => {
  const NAMES = ["roc", "kappa", "prevalence", "plane"];
  const EDGE = 0.01; // how far bands and lines over p go towards 0 and 1

  async function open(items) {
    for (const item of Object.values(items)) {
      await Bokeh.embed.embed_item(item);
      passOver(document.getElementById(item.target_id));
    }
  }

  // Keys do nothing in a plot, so the tab key does not stop there.
  function passOver(element) {
    for (const part of (element.shadowRoot ?? element).querySelectorAll("*")) {
      if (part.tabIndex === 0) part.tabIndex = -1;
      if (part.shadowRoot) passOver(part);
    }
  }

  function model(name) {
    for (const one of Bokeh.documents) {
      const found = one.get_model_by_name(name);
      if (found !== null) return found;
    }
    throw new Error(`there is no part ${name} in the plots`);
  }

  const fill = (name, columns) => { model(name).data = columns; };
  const span = (name, axis, start, end) => {
    model(name)[`${axis}_range`].setv({ start, end });
    if (axis === "y") model(name).left[0].ticker.ticks = ticksWithin(start, end);
  };

  // At most nine, in steps of 1, 2 or 5 times a power of ten.
  function ticksWithin(start, end) {
    const least = (end - start) / 8;
    const power = 10 ** Math.floor(Math.log10(least));
    const step = power * [1, 2, 5, 10].find((times) => times * power >= least);
    const [first, last] = [Math.ceil(start / step), Math.floor(end / step)];
    return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toFixed(10)));
  }

  const cssColor = (name) =>
    getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

  // ---- what follows the prevalence ----

  function draw(view) {
    drawCurves(view);
    drawOverPrevalence(view);
    drawPlane(view);
  }

  function drawCurves({ pair, p, point, showsPaper, optimum }) {
    const places = {
      roc: { along: (curve) => curve.t, at: (f, t) => t, printed: optimum.tpr },
      kappa: {
        along: (curve) => curve.f.map((f, i) => kappacurve.kappa(f, curve.t[i], p)),
        at: (f, t) => kappacurve.kappa(f, t, p),
        printed: optimum.kappa_max,
      },
    };
    for (const [name, { along, at, printed }] of Object.entries(places)) {
      fill(`${name}_lines`, lines(pair, (one) => one.fine.f, (one) => along(one.fine)));
      const best = pair.map((one) => [one.curve.f[one.best], one.curve.t[one.best]]);
      const spots = pair.map((one, i) => mark(best[i][0], at(...best[i]), one.marker, one.color));
      fill(`${name}_marks`, columns(spots));
      const star = mark(optimum.fpr, printed, "star", cssColor("ink"));
      fill(`${name}_printed`, columns(showsPaper ? [star] : []));
      const ring = mark(point.f, at(point.f, point.t), "circle", "transparent", point.color);
      fill(`${name}_point`, columns([ring]));
    }
    fill("roc_equal", kappacurve.equalKappa(point.kappa, p));
    fill("kappa_equal", { x: [0, 1], y: [point.kappa, point.kappa] });
  }

  function drawOverPrevalence({ pair, p, overPrevalence, crossings, disagree }) {
    const { grid, auks } = overPrevalence;
    fill("prevalence_lines", lines(pair, () => grid, (one, i) => auks[i]));
    fill("prevalence_now", { x: [p] });
    fill("prevalence_marks", columns(pair.map((one) => mark(p, one.auk, one.marker, one.color))));
    const rings = crossings.map(([x, y]) => mark(x, y, "circle", "transparent", cssColor("ink")));
    fill("prevalence_crossings", columns(rings));
    fill("prevalence_disagree", { x0: disagree.map(([low]) => low), x1: disagree.map(([, high]) => high) });
  }

  function drawPlane({ all, p, published, limits }) {
    const [low, high] = limits.auc;
    for (const band of ["concave", "monotone"]) {
      const from = band === "concave" ? Math.max(low, 0.5) : low;
      const x = Array.from({ length: 121 }, (_, i) => from + ((high - from) * i) / 120);
      const ends = x.map((auc) => kappacurve.aukBounds(auc, p, band));
      const [lower, upper] = [ends.map((one) => one.lower), ends.map((one) => one.upper)];
      fill(`plane_${band}`, { x, lower, upper });
    }
    fill("plane_ours", columns(all.map((one) => mark(one.auc, one.auk, one.marker, one.color))));
    const ink = cssColor("ink");
    fill("plane_published", columns(published.map((one) =>
      mark(one.auc, one.auk, one.inside ? "circle" : "x", ink))));
    const texts = published.map((one) => `${one.place.replace("Table ", "T")} ${one.label}`);
    const spots = published.map((one, i) => spotOfLabel(one, texts[i], [...all, ...published]));
    fill("plane_labels", {
      x: published.map((one) => one.auc),
      y: published.map((one) => one.auk),
      text: texts,
      align: spots.map((spot) => spot.align),
      right: spots.map((spot) => spot.right),
      down: spots.map((spot) => spot.down),
      color: published.map(() => ink),
      behind: published.map(() => cssColor("panel")),
    });
  }

  // The four stand close together: beside, above or below, the first place where no mark is.
  function spotOfLabel(one, text, marks) {
    const beside = [0, 17, -17].map((down) => ({ align: "left", right: 10, down }));
    const centred = (one.curve === "hull" ? [-15, 15] : [15, -15])
      .map((down) => ({ align: "center", right: 0, down }));
    const spots = one.model === "linear" ? beside : centred;
    const plot = model("plane");
    const pixels = (axis, size) => size / (plot[`${axis}_range`].end - plot[`${axis}_range`].start);
    const [across, upwards] = [pixels("x", plot.inner_width), pixels("y", plot.inner_height)];
    const [width, height, size] = [7.2 * text.length, 16, 6]; // of the text, and half a mark
    const isFree = ({ align, right, down }) => marks.every((other) => {
      const x = (other.auc - one.auc) * across - right + (align === "center" ? width / 2 : 0);
      const y = (one.auk - other.auk) * upwards - down;
      return other === one || x < -size || x > width + size || Math.abs(y) > height / 2 + size;
    });
    return spots.find(isFree) ?? spots[0];
  }

  // ---- what stays while the prevalence moves ----

  // So that curves move and not the axes, these hold the curves at every prevalence.
  function setLimits({ kappa, auc, auk }) {
    span("roc", "y", -0.02, 1.02);
    span("kappa", "y", ...kappa);
    span("prevalence", "x", 0, 1);
    span("prevalence", "y", ...auk);
    span("plane", "x", ...auc);
    span("plane", "y", ...auk);
  }

  function paint() {
    const [ink, muted, grid] = ["ink", "muted", "grid"].map(cssColor);
    for (const name of NAMES) {
      const plot = model(name);
      for (const axis of [...plot.below, ...plot.left]) {
        axis.setv({
          axis_label_text_color: ink, major_label_text_color: ink,
          axis_line_color: muted, major_tick_line_color: muted,
        });
      }
      for (const part of plot.center) {
        if (part.type === "Grid") part.setv({ grid_line_color: grid });
      }
    }
  }

  // ---- columns ----

  const mark = (x, y, marker, fillColor, line = cssColor("panel")) => ({
    x, y, marker, fill: fillColor, line: marker === "x" ? fillColor : line,
  });

  const columns = (marks) => Object.fromEntries(
    ["x", "y", "marker", "fill", "line"].map((name) => [name, marks.map((one) => one[name])]),
  );

  const lines = (models, xOf, yOf) => ({
    xs: models.map(xOf),
    ys: models.map(yOf),
    color: models.map((one) => one.color),
    dash: models.map((one) => (one.dash.length ? one.dash.join(" ") : "solid")),
  });

  return { open, draw, setLimits, paint, EDGE };
})();
