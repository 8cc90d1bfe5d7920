// What the reader has chosen, and what follows from it. H, bounds, intervals and tests are looked up.
const byId = (id) => document.getElementById(id);
const all = (css) => [...document.querySelectorAll(css)];
const read = (id) => JSON.parse(byId(id).textContent);
const data = read("data");
const middle = (data.nodes - 1) / 2;
const measures = ["auc", "auk", "h", "kappa_max"];
const state = {
  side: data.side,
  kind: "raw",
  first: "",
  second: "",
  replicate: data.opening.replicate,
  own: true,
  p: 0.5,
  c: 0.5,
  balanced: false,
  steered: 0,
  best: true,
  point: 0,
};
const costAt = (p) => (state.balanced ? 1 - p : state.c);
const sided = (p) => (state.side ? 1 - p : p); // from the positive class to the first, and back
const isOwn = (p) => state.own && p === state.p;

const logit = (p) => Math.log(p / (1 - p));
const place = (p, least, last) =>
  Math.max(0, Math.min(1, (logit(p) / logit(least) - 1) / -2)) * last;
// A cubic through four grid points from the first to the last.
function cubic(x, first, last, value) {
  const i = Math.max(first, Math.min(last - 3, Math.floor(x) - 1));
  const u = x - i;
  return (
    (value(i) * (1 - u) * (u - 2) * (u - 3)) / 6 +
    (value(i + 1) * u * (u - 2) * (u - 3)) / 2 -
    (value(i + 2) * u * (u - 1) * (u - 3)) / 2 +
    (value(i + 3) * u * (u - 1) * (u - 2)) / 6
  );
}
// None of the four is beyond 1/2: there the bounds have a kink.
function at(values, p) {
  const x = place(p, data.least[0], 2 * middle);
  const low = x < middle ? 0 : middle;
  return cubic(x, low, low + middle, (i) => values[i]);
}
// H: exact at the rows' own prevalence, which comes last.
const area = (values, p) => (isOwn(p) ? values.at(-1) : at(values, sided(p)));
const units = (packed) =>
  (packed.found ??= new Int16Array(
    Uint8Array.from(atob(packed.units), (one) => one.charCodeAt()).buffer,
  ));
const unpacked = (packed) => [...units(packed)].map((one) => packed.scale * one);
// Of a grid of prevalences (rows) and costs.
function atCost(packed, p, c) {
  const values = units(packed);
  const n = Math.sqrt(values.length);
  const [x, y] = [p, c].map((one, k) => place(sided(one), data.least[k], n - 1));
  return packed.scale * cubic(x, 0, n - 1, (i) => cubic(y, 0, n - 1, (j) => values[i * n + j]));
}
const pOf = (z) =>
  Math.exp(cubic(4 * Math.min(8, Math.abs(z)), 0, data.normal.length - 1, (i) => data.normal[i]));
const order = (a, b) => (Math.abs(a - b) < 1e-9 ? 0 : Math.sign(a - b));

// A model's curve with the chosen class as positive, and the corners of its hull.
function curveOf(model) {
  const rates = (steps) => {
    let sum = 0;
    const sums = steps.map((one) => (sum += one));
    return sums.map((one) => one / sum);
  };
  let [f, t] = [model.fp, model.tp].map(rates);
  let { hull } = model;
  const threshold = [model.lower ? -Infinity : Infinity, ...model.threshold];
  if (state.side) {
    // The rows on the other side of the same thresholds, as swapped_classes of the package.
    [f, t] = [t, f].map((one) => one.map((x) => 1 - x).reverse());
    threshold.reverse();
    hull = hull.map((i) => f.length - 1 - i).reverse();
  }
  const drawn = (values) => (state.kind === "raw" ? values : hull.map((i) => values[i]));
  const corners = hull.map((i) => [f[i], t[i]]);
  return { corners, f: drawn(f), t: drawn(t), threshold: drawn(threshold) };
}
// Whether Python found intervals and tests just there; elsewhere they are of AUC and AUK alone.
const isExact = (measure, p, c) =>
  measure === "auc" || (isOwn(p) && (measure === "h" || c === 0.5));
// Hulls have no intervals and tests, but their H and largest kappa are those of the raw curve.
const hasChance = (measure) => state.kind === "raw" || !["auc", "auk"].includes(measure);
// A model's curve, its measures, and its AUK and ends of intervals at any prevalence and cost.
function evaluate(replicate, name) {
  const model = replicate.models[name];
  const { measures, grid, bands } = replicate.chance[state.side];
  const curve = curveOf(model);
  const kappa = curve.f.map((f, i) => kappaAt(f, curve.t[i], state.p, costAt(state.p)));
  const best = kappa.reduce((best, one, i) => (one > kappa[best] * (1 + 1e-13) ? i : best), 0);
  const auc = model.auc[state.kind];
  const aukAt = (p, c) => {
    if (c === 1 - p) return auc - 0.5;
    return isOwn(p) && c === 0.5
      ? model.auk[state.kind][state.side]
      : aukOf(curve.f, curve.t, p, c);
  };
  const ends = (measure, p, c) => {
    if (!hasChance(measure)) return null;
    const here = (what) => measures[what]?.ends[name];
    if (measure === "auk" && c === 1 - p) return here("auc")?.map((one) => one - 0.5);
    if (isExact(measure, p, c)) return here(measure);
    return measure === "auk" ? grid?.ends[name]?.map((one) => atCost(one, p, c)) : null;
  };
  const auks = aukAt(state.p, costAt(state.p));
  return {
    ...data.models[name],
    ...curve,
    name,
    lower: model.lower,
    kappa,
    best,
    values: { auc, auk: auks, h: area(model.h, state.p), kappa_max: kappa[best] },
    aukAt,
    ends,
    band: state.kind === "raw" && bands?.[name],
  };
}
// The paired test of a pair by its place: ends of the difference, and p.
function tested(chance, place, measure, models) {
  const { p } = state;
  const c = costAt(p);
  const name = measure === "auk" && c === 1 - p ? "auc" : measure;
  const exact = chance.measures[name]?.tests[place];
  if (isExact(name, p, c) && exact) return exact;
  const test = name === "auk" ? chance.grid?.tests[place] : null;
  const half = test ? atCost(test.half, p, c) : 0;
  if (half < 1e-9) return null;
  const [first, second] = chance.pairs[place].map((name) => models.find((one) => one.name === name));
  const lead = first.values.auk - second.values.auk;
  return { ends: [lead - half, lead + half], p: pOf(atCost(test.score, p, c)) };
}
// That of the pair, with p adjusted for all pairs of models by Holm.
function adjusted(chance, measure, pair, models) {
  const place = chance.pairs.findIndex((names) => pair.every(({ name }) => names.includes(name)));
  const found = chance.pairs.map((_, i) => tested(chance, i, measure, models));
  const p = found[place]?.p ?? null;
  if (p === null || !hasChance(measure)) return null;
  const made = found.map((one) => one?.p ?? null).filter((one) => one !== null);
  const steps = made
    .filter((one) => one <= p)
    .map((one) => one * made.filter((other) => other >= one).length);
  const { ends } = found[place];
  const turned = chance.pairs[place][0] !== pair[0].name;
  return {
    holm: Math.min(1, Math.max(...steps)),
    ends: turned && ends ? [-ends[1], -ends[0]] : ends,
  };
}

const four = (x) => x.toFixed(4).replace(/^-(0\.0*)$/, "$1");
const below = (p) => (p < 1e-4 ? "p < 0.0001" : `p = ${p < 0.001 ? p.toFixed(4) : p.toFixed(3)}`);
const listed = (words) => words.join(", ").replace(/, ([^,]*)$/, " and $1");
// Which scores are called positive. A threshold has all its digits: fewer give other counts.
function cut(one, i) {
  if (!i) return "none";
  const sign = state.side ? (one.lower ? ">" : "<") : one.lower ? "≤" : "≥";
  return Number.isFinite(one.threshold[i]) ? `${sign} ${one.threshold[i]}` : "all";
}
const say = (id, text) => {
  if (byId(id) && byId(id).textContent !== text) byId(id).textContent = text;
};
const make = (tag, textContent, className = "") =>
  Object.assign(document.createElement(tag), { textContent, className });
const range = (ends) => (ends ? [make("small", `${four(ends[0])} to ${four(ends[1])}`)] : []);
const samples = Object.fromEntries(all(".sample-of").map((one) => [one.dataset.name, one.content]));
const sample = ({ name }) => samples[name].cloneNode(true);

const named = (name) => Bokeh.documents.map((one) => one.get_model_by_name(name)).find(Boolean);
const fill = (name, rows) => {
  const source = named(name);
  source.data = Object.fromEntries(
    source.columns().map((column) => [column, rows.map((row) => row[column])]),
  );
};
const colour = (name) => getComputedStyle(document.body).getPropertyValue(`--${name}`).trim();
const marks = (name, rows) =>
  fill(
    `${name}-marks`,
    rows.map((one) => ({ size: 12, width: 1, line: colour("card"), ...one })),
  );
const mark = (one, x, y) => ({ x, y, marker: one.marker, fill: one.color });
const hollow = { marker: "circle", fill: "transparent", size: 18, width: 3 };
const ring = (x, y, line) => ({ ...hollow, x, y, line });
const even = (n, low, high) =>
  Array.from({ length: n }, (_, i) => low + (i / (n - 1)) * (high - low));
// Points between the vertices of a short curve: kappa bends there.
function dense(values) {
  const n = Math.max(1, Math.min(25, Math.round(600 / values.length)));
  return values.flatMap((v, i) => (i ? even(n + 1, values[i - 1], v).slice(1) : [v]));
}
const outline = (color, xs, ends) => ({
  color,
  xs: [...xs, ...xs.toReversed()],
  ys: [...ends.map(([low]) => low), ...ends.map(([, high]) => high).toReversed()],
});
// At other costs curves are higher: the axis grows with them, and comes back.
const room = {};
function fit(name, drawn) {
  const { y_range } = named(name);
  const [low, high] = (room[name] ??= [y_range.start, y_range.end]);
  const ends = [Math.min, Math.max].map((end) => 1.05 * end(...drawn.flatMap((one) => one.ys)));
  y_range.setv({ start: Math.min(low, ends[0]), end: Math.max(high, ends[1]) });
}

const aukName = () =>
  state.balanced ? "AUC − 1/2" : state.c === 0.5 ? "AUK" : `AUK at c = ${state.c.toFixed(3)}`;
const ranking = () => [
  ["AUC", "auc"],
  [aukName(), "auk"],
  ["H", "h"],
];
// What each measure prefers, and whether the leads of AUC and AUK are more than chance.
function verdict(pair, tests) {
  const sides = ranking().map(([name, measure]) => ({
    name,
    measure,
    side: order(...pair.map((one) => one.values[measure])),
  }));
  const said = [
    [1, pair[0].name],
    [-1, pair[1].name],
    [0, "both the same"],
  ].map(([side, who]) => {
    const those = sides.filter((one) => one.side === side).map(({ name }) => name);
    const verb = `${side ? "prefer" : "rate"}${those.length > 1 ? "" : "s"}`;
    return those.length ? `${listed(those)} ${verb} ${who}` : "";
  });
  const agree = sides[0].side === sides[1].side;
  // Where one of them rates both the same there is one lead, and nothing to disagree with.
  const leads = sides.slice(0, 2).filter(({ side }) => side);
  const told = leads.filter(({ measure }) => tests[measure]?.holm < 0.05);
  const chance =
    told.length === leads.length
      ? ", by more than chance"
      : told.length
        ? `, and only the lead by ${told[0].name} is more than chance`
        : `, but ${agree || leads.length < 2 ? "the lead" : "both leads"} may be chance`;
  const disagree = !agree && leads.length === 2;
  const both =
    agree || disagree
      ? `AUC and ${aukName()} ${agree ? "agree" : "disagree"}`
      : `of AUC and ${aukName()} only ${leads[0].name} tells them apart`;
  const tested = tests.auc && tests.auk && leads.length ? chance : "";
  say("verdict", `${said.filter(Boolean).join("; ")}: ${both}${tested}.`);
  byId("verdict").classList.toggle("disagree", disagree && told.length === 2);
}
// Which leads are more than chance, with p adjusted for all pairs of models.
function noise(pair, tests, pairs) {
  if (state.kind !== "raw")
    return "Hulls have no tests here: choose the raw curves to see what is more than chance.";
  const leads = (what, is) => {
    const those = ranking().filter(
      ([, measure]) =>
        tests[measure] &&
        is(tests[measure].holm) &&
        order(...pair.map((one) => one.values[measure])),
    );
    const withP = those.map(([name, measure]) => `${name} (${below(tests[measure].holm)})`);
    return those.length ? `${what}: the lead by ${listed(withP)}.` : "";
  };
  const none = ranking().filter(([, measure]) => !tests[measure] && measure !== "h");
  const said = [
    leads("More than chance", (p) => p < 0.05),
    leads("May be chance", (p) => p >= 0.05),
    none.length ? `No test here for ${listed(none.map(([name]) => name))}.` : "",
    pairs > 1 && none.length < 2 ? `p is adjusted for the ${pairs} pairs of models.` : "",
  ];
  return said.filter(Boolean).join(" ");
}
function numbers(pair, tests) {
  const { rows } = byId("measures").tBodies[0];
  rows[1].cells[0].textContent = aukName();
  measures.forEach((measure, i) => {
    const { cells } = rows[i];
    const values = pair.map((one) => one.values[measure]);
    pair.forEach((one, k) =>
      cells[k + 1].replaceChildren(
        make("span", four(values[k]), order(values[k], values[1 - k]) > 0 ? "higher" : ""),
        ...range(one.ends(measure, state.p, costAt(state.p))),
      ),
    );
    const test = tests[measure];
    const chance = test ? [...range(test.ends), make("small", below(test.holm))] : [];
    cells[3].replaceChildren(four(values[0] - values[1]), ...chance);
  });
  pair.forEach((one, k) =>
    [four(one.f[one.best]), four(one.t[one.best]), cut(one, one.best)].forEach((text, i) =>
      rows[measures.length + i].cells[k + 1].replaceChildren(make("span", text)),
    ),
  );
}
function operatingPoint(one, i, { n, weighted }) {
  const texts = [cut(one, i), four(one.f[i]), four(one.t[i]), four(one.kappa[i])];
  all("#values dd").forEach((dd, k) => (dd.textContent = texts[k]));
  byId("point").ariaValueText = all("#values > *").map((each) => each.textContent).join(" ");
  const count = (x) => (weighted ? Number(x.toPrecision(6)) : Math.round(x));
  const rows = weighted ? "rows, by weight," : "rows";
  const [positive, negative] = state.side ? [1, 0] : [0, 1];
  const [yes, no] = [data.classes[positive], data.classes[negative]];
  const hits = `${count(one.t[i] * n[positive])} of the ${n[positive]} ${rows} of class ${yes}`;
  const alarms = `${count(one.f[i] * n[negative])} of the ${n[negative]} of class ${no}`;
  say(
    "counts",
    i
      ? `Scores that are ${texts[0]} are called ${yes}: ${hits} and ${alarms}.`
      : `No row is called ${yes}.`,
  );
}
function curves(pair, p) {
  const steered = pair[state.steered];
  const star = data.star && state.kind === "hull" && costAt(p) === 0.5 ? [data.star] : [];
  for (const [name, y] of [
    ["roc", "t"],
    ["kappa", "kappa"],
  ]) {
    const height = (f, t) => (y === "t" ? t : kappaAt(f, t, p, costAt(p)));
    const drawn = pair.map((one) => {
      const [f, t] = [dense(one.f), dense(one.t)];
      return { ...one, xs: f, ys: f.map((x, i) => height(x, t[i])) };
    });
    const bands = pair
      .filter((one) => one.band)
      .map((one) => {
        const [low, high] = one.band.map(unpacked);
        const f = even(low.length, 0, 1);
        return outline(
          one.color,
          f,
          f.map((x, i) => [height(x, low[i]), height(x, high[i])]),
        );
      });
    fill(`${name}-lines`, drawn);
    fill(`${name}-bands`, bands);
    if (name === "kappa") fit(name, [...drawn, ...bands]);
    marks(name, [
      ...pair.map((one) => mark(one, one.f[one.best], one[y][one.best])),
      ...star.map(({ fpr: x, tpr: t, kappa }) => ({
        x,
        y: y === "t" ? t : kappa,
        marker: "star",
        fill: colour("ink"),
        size: 18,
      })),
      ring(steered.f[state.point], steered[y][state.point], steered.color),
    ]);
  }
}
// Where a lead that is `last` at the right end changes its sign, to a tenth of a millionth.
function tie(leadAt, left, right, last) {
  for (let i = 0; i < 20; i++) {
    const middle = (left + right) / 2;
    if (leadAt(middle) * last > 0) right = middle;
    else left = middle;
  }
  return (left + right) / 2;
}
// AUK over prevalence or cost; returns where the models tie. Between ties their order by AUK is
// the same, and perhaps not that of their AUC.
function lines(name, pair, least, now, conditions) {
  // Fewer places where curves have very many vertices, so that the page keeps up with the slider.
  const vertices = pair[0].f.length + pair[1].f.length;
  const xs = even(Math.max(61, Math.min(491, Math.round(3e5 / vertices))), least, 1 - least);
  const drawn = pair.map((one) => ({ ...one, xs, ys: xs.map((x) => one.aukAt(...conditions(x))) }));
  const leadAt = (x) => pair[0].aukAt(...conditions(x)) - pair[1].aukAt(...conditions(x));
  const lead = xs.map((_, i) => drawn[0].ys[i] - drawn[1].ys[i]);
  const ties = xs.flatMap((x, i) =>
    i && lead[i] * lead[i - 1] < 0 ? [tie(leadAt, xs[i - 1], x, lead[i])] : [],
  );
  const ends = [0, ...ties, 1];
  const sign = pair[0].values.auc - pair[1].values.auc;
  fill(
    `${name}-disagree`,
    ends
      .slice(1)
      .map((x1, i) => ({ x0: ends[i], x1 }))
      .filter(({ x0, x1 }) => sign * leadAt((x0 + x1) / 2) < 0),
  );
  const places = xs.filter((_, i) => i % 5 === 0);
  const bands = pair
    .map((one) => [one.color, places, places.map((x) => one.ends("auk", ...conditions(x)))])
    .filter(([, , found]) => found.every(Boolean))
    .map((band) => outline(...band));
  fill(`${name}-now`, [{ x: now }]);
  fill(`${name}-bands`, bands);
  fill(`${name}-lines`, drawn);
  marks(name, [
    ...pair.map((one) => mark(one, now, one.values.auk)),
    ...ties.map((x) => ring(x, pair[0].aukAt(...conditions(x)), colour("ink"))),
  ]);
  fit(name, [...drawn, ...bands]);
  return ties.length ? listed(ties.map((x) => x.toFixed(3))) : "";
}
function areas(pair, p) {
  const over = lines("over", pair, data.least[0], p, (x) => [x, costAt(x)]);
  say("ties", over ? `Here they tie at prevalence ${over}.` : "Here the lines do not cross.");
  const costs = lines("cost", pair, data.least[1], costAt(p), (x) => [p, x]);
  fill("cost-named", [{ x: 0.5 }, { x: 1 - p }]);
  say(
    "cost-ties",
    costs
      ? `At this prevalence they tie at c = ${costs}.`
      : "At this prevalence no cost makes them tie.",
  );
}
// Net benefit over the threshold probability tau = 1 - c, each at the best score for it.
function benefits(pair, p, tau) {
  const taus = even(197, 0.01, 0.99);
  const worth = (f, t, x) => p * t - ((1 - p) * f * x) / (1 - x);
  const best = (one, x) => Math.max(...one.corners.map(([f, t]) => worth(f, t, x)));
  const over = (ys) => ({ xs: taus, ys: taus.map(ys) });
  // From where to where a model gains on both defaults, and the chosen threshold.
  const gains = taus.filter((x) =>
    pair.some((one) => best(one, x) > Math.max(0, worth(1, 1, x)) + 0.002 * p),
  );
  const [start, end] = [Math.min(tau, ...gains), Math.max(tau, ...gains)];
  const { x_range, y_range } = named("benefit");
  const margin = 0.04 * (end - start) || 0.02;
  x_range.setv({ start: Math.max(-0.02, start - margin), end: Math.min(1.02, end + margin) });
  const top = Math.max(...pair.map((one) => best(one, start)), 0.02 * p);
  y_range.setv({ start: -0.1 * top, end: 1.05 * top });
  fill("benefit-defaults", [over(() => 0), over((x) => worth(1, 1, x))]);
  fill(
    "benefit-lines",
    pair.map((one) => ({ ...one, ...over((x) => best(one, x)) })),
  );
  fill("benefit-now", [{ x: tau }]);
  marks(
    "benefit",
    pair.map((one) => mark(one, tau, best(one, tau))),
  );
  const said = pair.map((one) => `${one.name} ${four(best(one, tau))}`);
  const flagged = `flagging all ${four(worth(1, 1, tau))}, flagging nobody 0`;
  say("benefit-said", `At τ = ${tau.toFixed(3)}, per row: ${said.join(", ")}, ${flagged}.`);
}
// Bounds are for c = 1/2: the published pairs, and which AUKs an AUC allows.
function plane(models, p) {
  const plain = costAt(p) === 0.5;
  for (const one of all("[data-plain]")) one.hidden = plain === (one.dataset.plain === "no");
  for (const [kind, { auc, bounds }] of Object.entries(data.bands)) {
    const [lower, upper] = [0, 1].map((end) => bounds.map((each) => at(each[end], p)));
    const band = auc.map((x, i) => ({ x, lower: lower[i], upper: upper[i] }));
    fill(`plane-${kind}`, plain ? band : []);
  }
  const pairs = (plain ? data.published : []).map((one, i) => {
    const [low, high] = one.bounds.map((each) => at(each, p));
    const inside = one.auk >= low && one.auk <= high;
    byId("published").tBodies[0].rows[i].cells[3].replaceChildren(
      `${four(low)} to ${four(high)} `,
      make("span", ...(inside ? ["inside", "inside"] : ["outside", "outside"])),
    );
    const color = colour("ink");
    const look = inside ? { marker: "circle" } : { marker: "x", line: color };
    const text = `${i + 1}`;
    return { x: one.auc, y: one.auk, text, color, fill: color, width: 2, size: 14, ...look };
  });
  fill("plane-labels", pairs);
  marks("plane", [...pairs, ...models.map((one) => mark(one, one.values.auc, one.values.auk))]);
  if (data.star && plain) {
    const { fpr, tpr, kappa } = data.star;
    const here = kappaAt(fpr, tpr, p, 0.5).toFixed(3);
    const point = `The published operating point, f = ${fpr} and t = ${tpr},`;
    say("star", `${point} has kappa ${here} at this prevalence; printed is ${kappa}.`);
  }
}

// Controls have the names of what they set. What else a choice sets:
const follows = {
  p: () => ({ own: false }),
  c: () => ({ balanced: false }),
  point: () => ({ best: false }),
  side: () => ({ best: true, p: Math.round((1 - state.p) * 1000) / 1000, c: 1 - state.c }),
  kind: () => ({ best: true }),
  steered: () => ({ best: true }),
  replicate: () => ({ best: true }),
  first: (name) => ({ best: true, ...(name === state.second && { second: state.first }) }),
  second: (name) => ({ best: true, ...(name === state.first && { first: state.second }) }),
};
const typed = (name, text) =>
  ({ number: Number(text || NaN), boolean: text === "true", string: text })[typeof state[name]];
const controls = all("button, input, select");
const choice = ({ name, value }) => {
  const chosen = typed(name, value);
  return { [name]: chosen, ...follows[name]?.(chosen) };
};
// The controls as the state has them.
function steer(there, models, pair) {
  const { p, own, side } = state;
  for (const one of all("#model-0, #model-1"))
    one.replaceChildren(...there.map((name) => new Option(name)));
  const keys = { first: [pair[0]], second: [pair[1]], pair, all: models };
  for (const one of all("[data-key]")) one.replaceChildren(...keys[one.dataset.key].map(sample));
  for (const one of all("[data-c]")) one.value = sided(Number(one.dataset.c));
  const shown = { prevalence: own ? four(p) : p.toFixed(3), cost: costAt(p).toFixed(3) };
  say("shown", shown.prevalence);
  say("cost-shown", shown.cost);
  say("cost-of", data.classes[side]);
  const [min, max] = side ? data.range.map((end) => 1 - end).reverse() : data.range;
  Object.assign(byId("prevalence"), { min, max, ariaValueText: shown.prevalence });
  byId("cost-share").ariaValueText = `${shown.cost}, ${aukName()}`;
  byId("point").max = pair[state.steered].f.length - 1;
  const values = { ...state, c: costAt(p) };
  for (const one of controls) {
    if (one.type === "button")
      one.ariaPressed = Object.entries(choice(one)).every(
        ([name, chosen]) => Math.abs(state[name] - chosen) < 1e-9,
      );
    else if (one.type === "radio") one.checked = one.value === `${state[one.name]}`;
    else one.value = values[one.name];
  }
}
let saving;
function update() {
  const replicate = data.replicates[state.replicate];
  const there = Object.keys(replicate.models);
  [state.first, state.second] = new Set([
    ...[state.first, state.second].filter((one) => there.includes(one)),
    ...there,
  ]);
  if (state.own) state.p = sided(replicate.own);
  const { p, side } = state;
  const models = there.map((name) => evaluate(replicate, name));
  const pair = [state.first, state.second].map((name) => models.find((one) => one.name === name));
  const steered = pair[state.steered];
  state.point = state.best ? steered.best : Math.min(state.point, steered.f.length - 1);
  steer(there, models, pair);
  const chance = replicate.chance[side];
  const tests = Object.fromEntries(
    measures.map((measure) => [measure, adjusted(chance, measure, pair, models)]),
  );
  verdict(pair, tests);
  say("noise", noise(pair, tests, chance.pairs.length));
  numbers(pair, tests);
  byId("said").replaceChildren(...chance.said.map((one) => make("li", one)));
  operatingPoint(steered, state.point, replicate);
  curves(pair, p);
  areas(pair, p);
  benefits(pair, p, 1 - costAt(p));
  plane(models, p);
  const counts = replicate.n.map((n, i) => `${n} of class ${data.classes[i]}`);
  const weighted = replicate.weighted ? ", by weight" : "";
  const groups = replicate.groups ? ` in ${replicate.groups} groups` : "";
  say("split", `${replicate.rows} rows${groups}: ${counts.join(" and ")}${weighted}.`);
  // The view is in the address: browsers allow few changes of it in a second.
  clearTimeout(saving);
  saving = setTimeout(() => history.replaceState(null, "", `#${new URLSearchParams(state)}`), 150);
}
function open() {
  const inside = (x, least) => x >= least && x <= 1 - least;
  const allowed = {
    side: (x) => x in data.classes,
    kind: (x) => x in data.bands,
    replicate: (x) => x in data.replicates,
    steered: (x) => x in data.classes,
    p: (x) => inside(x, data.least[0]),
    c: (x) => inside(x, data.least[1]),
    point: (x) => Number.isInteger(x) && x >= 0,
  };
  for (const [name, text] of new URLSearchParams(location.hash.slice(1))) {
    const given = typed(name, text);
    if (given !== undefined && (allowed[name]?.(given) ?? true)) state[name] = given;
  }
  update();
}

for (const one of controls)
  one.addEventListener(one.type === "button" ? "click" : "input", () => {
    Object.assign(state, choice(one));
    update();
  });
addEventListener("hashchange", open);
// Axes and grids in the colours of the page; bands and curves are seen on light and dark alike.
function dress() {
  for (const plot of read("plots").map(({ target_id }) => named(target_id))) {
    for (const axis of [...plot.below, ...plot.left])
      axis.setv({
        axis_label_text_color: colour("ink"),
        major_label_text_color: colour("ink"),
        axis_line_color: colour("faint"),
        major_tick_line_color: colour("faint"),
      });
    for (const grid of plot.center) grid.setv({ grid_line_color: colour("line") });
  }
  update();
}
const views = {};
for (const plot of read("plots"))
  [views[plot.target_id]] = (await Bokeh.embed.embed_item(plot)).roots;
// A canvas is cut where paper is narrower than the screen; a picture of it is not.
const printed = (is) => {
  document.documentElement.classList.toggle("printed", is);
  dress();
};
addEventListener("beforeprint", () => {
  printed(true);
  for (const [name, view] of Object.entries(views))
    byId(name).append(
      Object.assign(make("img"), { src: view.export().canvas.toDataURL(), alt: "" }),
    );
});
addEventListener("afterprint", () => {
  all(".plot img").forEach((one) => one.remove());
  printed(false);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", dress);
open();
dress();
document.documentElement.dataset.ready = "yes";
