// What the reader has chosen, and what follows from it. Areas and bounds are looked up.
"use strict";
(async () => {
  const byId = (id) => document.getElementById(id),
    all = (css) => [...document.querySelectorAll(css)];
  const read = (id) => JSON.parse(byId(id).textContent);
  const data = read("data"),
    grid = data.grid,
    middle = (grid.length - 1) / 2;
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

  const logit = (p) => Math.log(p / (1 - p));
  const place = (p, least, last) =>
    Math.max(0, Math.min(1, (logit(p) / logit(least) - 1) / -2)) * last;
  // A cubic through four grid points from the first to the last.
  function cubic(x, first, last, value) {
    const i = Math.max(first, Math.min(last - 3, Math.floor(x) - 1)),
      u = x - i;
    return (
      (value(i) * (1 - u) * (u - 2) * (u - 3)) / 6 +
      (value(i + 1) * u * (u - 2) * (u - 3)) / 2 -
      (value(i + 2) * u * (u - 1) * (u - 3)) / 2 +
      (value(i + 3) * u * (u - 1) * (u - 2)) / 6
    );
  }
  // None of the four is beyond 1/2: there the bounds have a kink.
  function at(values, p) {
    const x = place(p, grid[0], 2 * middle),
      low = x < middle ? 0 : middle;
    return cubic(x, low, low + middle, (i) => values[i]);
  }
  // Areas by prevalence (rows) and cost, two bytes each.
  const units = (packed) =>
    (packed.found ??= new Int16Array(
      Uint8Array.from(atob(packed.units), (one) => one.charCodeAt()).buffer,
    ));
  function atCost(packed, p, c) {
    const areas = units(packed);
    const n = Math.sqrt(areas.length),
      [x, y] = [p, c].map((one, k) => place(one, data.least[k], n - 1));
    return packed.scale * cubic(x, 0, n - 1, (i) => cubic(y, 0, n - 1, (j) => areas[i * n + j]));
  }
  const unpacked = (packed) => [...units(packed)].map((one) => packed.scale * one);
  const pOf = (z) =>
    Math.exp(cubic(4 * Math.min(8, Math.abs(z)), 0, data.normal.length - 1, (i) => data.normal[i]));
  const costAt = (p) => (state.balanced ? 1 - p : state.c);
  // Equation 19 at c = 1/2, as kappa_from_rates of the package.
  const kappaAt = (f, t, p, c = costAt(p)) =>
    (p * (1 - p) * (t - f)) /
    (p * (1 - p) * (t - f) + (1 - c) * (1 - p) * f + c * p * (1 - t) || 1);
  const order = (a, b) => (Math.abs(a - b) < 1e-9 ? 0 : Math.sign(a - b));
  const sided = (p) => (state.side ? 1 - p : p); // from the positive class to the first, and back
  // AUK or H: exact at the rows' own prevalence, which comes last.
  const value = (values, p, own) => (own ? values.at(-1) : at(values, sided(p)));

  // One model's curve with the chosen class as positive.
  function curveOf(model) {
    const end = model.lower ? -Infinity : Infinity;
    let [f, t] = [model.fp, model.tp].map((steps) => {
      let sum = 0;
      const sums = steps.map((one) => (sum += one));
      return sums.map((one) => one / sum);
    });
    let { hull } = model,
      threshold = [end, ...model.threshold];
    if (state.side) {
      // The rows on the other side of the same thresholds, as swapped_classes of the package.
      [f, t] = [t, f].map((one) => one.map((x) => 1 - x).reverse());
      threshold.reverse();
      hull = hull.map((i) => f.length - 1 - i).reverse();
    }
    const corners = hull.map((i) => [f[i], t[i]]);
    return state.kind === "raw"
      ? { f, t, threshold, corners }
      : {
          corners,
          f: hull.map((i) => f[i]),
          t: hull.map((i) => t[i]),
          threshold: hull.map((i) => threshold[i]),
        };
  }
  function evaluate(replicate, name, p, own) {
    const model = replicate.models[name],
      curve = curveOf(model),
      look = data.models.findIndex((one) => one.name === name);
    const kappa = curve.f.map((f, i) => kappaAt(f, curve.t[i], p));
    const best = kappa.reduce((best, one, i) => (one > kappa[best] * (1 + 1e-13) ? i : best), 0);
    const auks = model.auk[state.kind][state.side],
      auc = model.auc[state.kind],
      packed = model.at_cost[state.kind][state.side];
    const area = (p, c, own) =>
      c === 1 - p
        ? auc - 0.5
        : c === 0.5
          ? value(auks, p, own)
          : atCost(packed, sided(p), sided(c));
    const chance = state.kind === "raw" ? replicate.chance[state.side].models[name] : {};
    const ends = (p, c, own) =>
      c === 1 - p
        ? chance.auc?.map((one) => one - 0.5)
        : own && c === 0.5
          ? chance.auk
          : chance.at?.map((one) => atCost(one, sided(p), sided(c)));
    const maxima = replicate.chance[state.side].models[name];
    return {
      ...data.models[look],
      look,
      ...curve,
      lower: model.lower,
      kappa,
      best,
      hEnds: own && maxima.h,
      bestEnds: own && costAt(p) === 0.5 && maxima.kappa_max,
      area,
      auc,
      auk: area(p, costAt(p), own),
      h: value(model.h, p, own),
      band: chance.band,
      ends,
      aucEnds: chance.auc,
      aukEnds: ends(p, costAt(p), own),
    };
  }
  // A paired test: ends of the difference, and p. At the rows' own prevalence and c = 1/2 from
  // Python, elsewhere of AUK alone.
  function tested(test, measure, models, p, own) {
    const [first, second] = test.pair.map((name) => models.find((one) => one.name === name)),
      c = costAt(p);
    const name = measure === "auk" && c === 1 - p ? "auc" : measure,
      given = name === "auc" || (own && (name === "h" || c === 0.5)) ? test[name] : null;
    if (given) return { ends: given.ends, p: given.p?.[0] };
    const half = name === "auk" && test.half ? atCost(test.half, sided(p), sided(c)) : 0;
    if (half < 1e-9) return {};
    const lead = first.auk - second.auk;
    const score = atCost(test.score, sided(p), sided(c));
    return { ends: [lead - half, lead + half], p: pOf(score) };
  }
  // That of the pair, with p adjusted for all pairs of models by Holm.
  function adjusted(tests, measure, pair, models, p, own) {
    const all = tests.map((one) => tested(one, measure, models, p, own)),
      place = tests.findIndex((one) => pair.every(({ name }) => one.pair.includes(name)));
    const chosen = all[place],
      made = all.filter((one) => one.p !== undefined).sort((a, b) => a.p - b.p);
    if (chosen.p === undefined) return null;
    const holm = Math.min(
      1,
      Math.max(
        ...made.slice(0, made.indexOf(chosen) + 1).map((one, i) => one.p * (made.length - i)),
      ),
    );
    return {
      ...chosen,
      holm,
      ends:
        tests[place].pair[0] === pair[0].name || !chosen.ends
          ? chosen.ends
          : [-chosen.ends[1], -chosen.ends[0]],
    };
  }

  const four = (x) => x.toFixed(4).replace(/^-(0\.0*)$/, "$1");
  // Which scores are called positive. A threshold has all its digits: fewer give other counts.
  function cut(one, i) {
    if (!i) return "none";
    const sign = state.side ? (one.lower ? ">" : "<") : one.lower ? "≤" : "≥";
    return Number.isFinite(one.threshold[i]) ? `${sign} ${one.threshold[i]}` : "all";
  }
  const say = (id, text) => {
    if (byId(id) && byId(id).textContent !== text) byId(id).textContent = text;
  };
  const make = (tag, content = "", more = {}) => {
    const made = Object.assign(document.createElement(tag), more);
    made.append(...[content].flat());
    return made;
  };
  const sample = (one) => all(".sample-of")[one.look].content.cloneNode(true);
  const listed = (words) => words.join(", ").replace(/, ([^,]*)$/, " and $1");
  const named = (name) => Bokeh.documents.map((one) => one.get_model_by_name(name)).find(Boolean);
  const fill = (name, rows, columns) => {
    named(name).data = Object.fromEntries(
      columns.split(" ").map((one) => [one, rows.map((row) => row[one])]),
    );
  };
  const marks = (name, rows) =>
    fill(
      `${name}-marks`,
      rows.map((one) => ({ size: 12, width: 1, line: "#f4f5f7", ...one })),
      "x y marker fill line size width",
    );
  const mark = (one, x, y) => ({ x, y, marker: one.marker, fill: one.color });
  const room = {};
  const ring = (x, y, line) => ({
    x,
    y,
    line,
    marker: "circle",
    fill: "transparent",
    size: 18,
    width: 3,
  });
  // At other costs curves are higher: the axis grows with them, and comes back.
  function fit(name, values) {
    const range = named(name).y_range,
      [low, high] = (room[name] ??= [range.start, range.end]);
    range.setv({
      start: Math.min(low, Math.min(...values) * 1.05),
      end: Math.max(high, Math.max(...values) * 1.05),
    });
  }
  function dense(values) {
    const n = Math.max(1, Math.min(25, Math.round(600 / values.length)));
    return values.flatMap((v, i) =>
      i
        ? Array.from({ length: n }, (_, k) => values[i - 1] + ((v - values[i - 1]) * (k + 1)) / n)
        : [v],
    );
  }
  const outline = (color, xs, low, high) => ({
    color,
    xs: [...xs, ...xs.toReversed()],
    ys: [...low, ...high.toReversed()],
  });
  const table = (id, head, rows) =>
    byId(id).replaceChildren(
      make(
        "thead",
        make(
          "tr",
          head.map((one) => make("th", one, { scope: "col" })),
        ),
      ),
      make("tbody", rows),
    );

  const aukName = () =>
    state.balanced ? "AUC − 1/2" : state.c === 0.5 ? "AUK" : `AUK at c = ${state.c.toFixed(3)}`;
  // Where two lines cross; and between these places, where their order is not that of the AUC.
  function crossings(xs, [first, second], sign) {
    const lead = xs.map((_, i) => first[i] - second[i]);
    const ties = xs.flatMap((x, i) =>
      i && lead[i] * lead[i - 1] < 0
        ? [xs[i - 1] + ((x - xs[i - 1]) * lead[i - 1]) / (lead[i - 1] - lead[i])]
        : [],
    );
    const ends = [0, ...ties, 1],
      parts = ends.slice(1).map((x1, i) => ({ x0: ends[i], x1 }));
    return {
      ties,
      parts: parts.filter(
        ({ x0, x1 }) =>
          sign *
            (lead[xs.findIndex((x) => x >= (Math.max(x0, xs[0]) + Math.min(x1, xs.at(-1))) / 2)] ??
              0) <
          0,
      ),
    };
  }
  function lines(name, pair, xs, area, ends, now) {
    const drawn = pair.map((one) => ({ ...one, xs, ys: xs.map((x) => area(one, x)) }));
    const { ties, parts } = crossings(
      xs,
      drawn.map((one) => one.ys),
      pair[0].auc - pair[1].auc,
    );
    fill(`${name}-disagree`, parts, "x0 x1");
    fill(`${name}-now`, [{ x: now }], "x");
    const bands = pair.flatMap((one) => {
      const places = xs.filter((_, i) => i % 5 === 0),
        found = places.map((x) => ends(one, x));
      return found.every(Boolean)
        ? [
            outline(
              one.color,
              places,
              found.map((each) => each[0]),
              found.map((each) => each[1]),
            ),
          ]
        : [];
    });
    fill(`${name}-bands`, bands, "xs ys color");
    fill(`${name}-lines`, drawn, "xs ys color dash");
    marks(name, [
      ...pair.map((one) => mark(one, now, one.auk)),
      ...ties.map((x) => ring(x, area(pair[0], x), "#1b1f24")),
    ]);
    fit(
      name,
      [...drawn, ...bands].flatMap((one) => one.ys),
    );
    return ties;
  }
  // Net benefit over the threshold probability tau = 1 - c, each at the best score for it.
  function benefits(pair, p, tau) {
    const taus = Array.from({ length: 197 }, (_, i) => 0.01 + i * 0.005),
      worth = (f, t, x) => p * t - ((1 - p) * f * x) / (1 - x),
      best = (one, x) => Math.max(...one.corners.map(([f, t]) => worth(f, t, x)));
    named("benefit").y_range.setv({ start: -0.1 * p, end: 1.05 * p });
    const over = (ys) => ({ xs: taus, ys: taus.map(ys) });
    fill("benefit-defaults", [over(() => 0), over((x) => worth(1, 1, x))], "xs ys");
    fill(
      "benefit-lines",
      pair.map((one) => ({ ...one, ...over((x) => best(one, x)) })),
      "xs ys color dash",
    );
    fill("benefit-now", [{ x: tau }], "x");
    marks(
      "benefit",
      pair.map((one) => mark(one, tau, best(one, tau))),
    );
    const said = pair.map((one) => `${one.name} ${four(best(one, tau))}`);
    const flagged = `flagging all ${four(worth(1, 1, tau))}, flagging nobody 0`;
    say("benefit-said", `At τ = ${tau.toFixed(3)}, per row: ${said.join(", ")}, ${flagged}.`);
  }
  const below = (p) => (p < 1e-4 ? "p < 0.0001" : `p = ${p < 0.001 ? p.toFixed(4) : p.toFixed(3)}`);
  // Which leads are more than chance, with p adjusted for all pairs of models.
  function noise(tests, pairs) {
    if (state.kind !== "raw")
      return "Hulls have no tests here: choose the raw curves to see what is more than chance.";
    const named = ["AUC", aukName(), "H"]
      .map((name, i) => ({ name, test: tests[i] }))
      .filter(({ name, test }) => test || name !== "H");
    const kinds = [(test) => test?.holm < 0.05, (test) => test?.holm >= 0.05, (test) => !test];
    const [more, less, none] = kinds.map((is) => named.filter(({ test }) => is(test)));
    const withP = (those) => listed(those.map(({ name, test }) => `${name} (${below(test.holm)})`));
    const said = [
      more.length ? `More than chance: the lead by ${withP(more)}.` : "",
      less.length ? `May be chance: the lead by ${withP(less)}.` : "",
      none.length ? `No test here for ${listed(none.map(({ name }) => name))}.` : "",
      pairs > 1 && none.length < 2 ? `p is adjusted for the ${pairs} pairs of models.` : "",
    ];
    return said.filter(Boolean).join(" ");
  }
  function verdict(pair, tests) {
    const names = ["AUC", aukName(), "H"];
    const sides = ["auc", "auk", "h"].map((name) => order(pair[0][name], pair[1][name]));
    const said = [
      [1, pair[0].name],
      [-1, pair[1].name],
      [0, "both the same"],
    ].map(([side, who]) => {
      const those = names.filter((_, i) => sides[i] === side);
      const verb = `${side ? "prefer" : "rate"}${those.length > 1 ? "" : "s"}`;
      return those.length ? `${listed(those)} ${verb} ${who}` : "";
    });
    const agree = sides[0] === sides[1];
    const told = tests.slice(0, 2).map((test) => test?.holm < 0.05);
    const chance = told.every(Boolean)
      ? ", by more than chance"
      : told.some(Boolean)
        ? `, and only the lead by ${names[told.indexOf(true)]} is more than chance`
        : `, but ${agree ? "the lead" : "both leads"} may be chance`;
    const tested = tests[0] && tests[1] ? chance : "";
    const both = `AUC and ${aukName()} ${agree ? "agree" : "disagree"}`;
    say("verdict", `${said.filter(Boolean).join("; ")}: ${both}${tested}.`);
    byId("verdict").classList.toggle("disagree", !agree && told.every(Boolean));
  }
  const range = (ends) => (ends ? [make("small", `${four(ends[0])} to ${four(ends[1])}`)] : []);
  function numbers(pair, tests) {
    const rows = [
      ["AUC", (one) => one.auc, (one) => one.aucEnds],
      [aukName(), (one) => one.auk, (one) => one.aukEnds],
      ["H", (one) => one.h, (one) => one.hEnds],
      ["largest kappa", (one) => one.kappa[one.best], (one) => one.bestEnds],
      ["at f", (one) => one.f[one.best]],
      ["at t", (one) => one.t[one.best]],
      ["at scores", (one) => one, undefined, (one) => cut(one, one.best)],
    ];
    const last = (i) => {
      const test = tests[i];
      return i > 3
        ? ""
        : [
            four(rows[i][1](pair[0]) - rows[i][1](pair[1])),
            ...range(test?.ends),
            ...(test ? [make("small", below(test.holm))] : []),
          ];
    };
    table(
      "measures",
      ["measure", ...pair.map(sample), "first − second"],
      rows.map(([name, get, ends, text = four], i) =>
        make("tr", [
          make("th", name, { scope: "row" }),
          ...pair.map((one, k) =>
            make("td", [
              make("span", text(get(one)), {
                className: i < 4 && order(get(one), get(pair[1 - k])) > 0 ? "higher" : "",
              }),
              ...range(ends?.(one)),
            ]),
          ),
          make("td", last(i)),
        ]),
      ),
    );
  }
  function pointOf(one, p, { n, weighted }) {
    const count = (x) => (weighted ? Number(x.toPrecision(6)) : Math.round(x)),
      rows = weighted ? "rows, by weight," : "rows";
    if (state.best) state.point = one.best;
    const i = (state.point = Math.min(state.point, one.f.length - 1)),
      [f, t, kappa] = [one.f[i], one.t[i], one.kappa[i]];
    const shown = {
      scores: cut(one, i),
      f: four(f),
      t: four(t),
      kappa: four(kappa),
    };
    Object.assign(byId("point"), {
      max: one.f.length - 1,
      value: i,
      ariaValueText: Object.entries(shown).flat().join(" "),
    });
    byId("values").replaceChildren(
      ...Object.entries(shown).flatMap(([name, text]) => [make("dt", name), make("dd", text)]),
    );
    const [positive, negative] = state.side ? [1, 0] : [0, 1];
    const [yes, no] = [data.classes[positive], data.classes[negative]];
    const hits = `${count(t * n[positive])} of the ${n[positive]} ${rows} of class ${yes}`;
    const alarms = `${count(f * n[negative])} of the ${n[negative]} of class ${no}`;
    say(
      "counts",
      i
        ? `Scores that are ${cut(one, i)} are called ${yes}: ${hits} and ${alarms}.`
        : `No row is called ${yes}.`,
    );
    return { f, t, kappa };
  }
  function plane(models, p) {
    const plain = costAt(p) === 0.5;
    all("[data-plain]").forEach((one) => {
      one.hidden = plain === (one.dataset.plain === "no");
    });
    for (const [kind, band] of Object.entries(data.bands)) {
      fill(
        `plane-${kind}`,
        !plain
          ? []
          : band.auc.map((x, i) => ({
              x,
              lower: at(band.bounds[i][0], p),
              upper: at(band.bounds[i][1], p),
            })),
        "x lower upper",
      );
    }
    const pairs = (plain ? data.published : []).map((one) => {
      const [low, high] = one.bounds.map((each) => at(each, p));
      return { ...one, low, high, inside: one.auk >= low && one.auk <= high };
    });
    fill(
      "plane-labels",
      pairs.map((one, i) => ({ x: one.auc, y: one.auk, text: `${i + 1}` })),
      "x y text",
    );
    marks("plane", [
      ...pairs.map((one) => ({
        x: one.auc,
        y: one.auk,
        fill: "#1b1f24",
        marker: one.inside ? "circle" : "x",
        line: one.inside ? "#f4f5f7" : "#1b1f24",
        width: 2,
        size: 14,
      })),
      ...models.map((one) => mark(one, one.auc, one.auk)),
    ]);
    if (pairs.length)
      table(
        "published",
        ["published", "AUC", "AUK", "possible here"],
        pairs.map((one, i) =>
          make("tr", [
            make("th", `${i + 1}. ${one.label}`, { scope: "row" }),
            make("td", four(one.auc)),
            make("td", four(one.auk)),
            make("td", [
              `${four(one.low)} to ${four(one.high)} `,
              make("span", one.inside ? "inside" : "outside", {
                className: one.inside ? "inside" : "outside",
              }),
            ]),
          ]),
        ),
      );
    if (data.star && plain) {
      const { fpr, tpr, kappa } = data.star;
      const point = `The published operating point, f = ${fpr} and t = ${tpr},`;
      const here = kappaAt(fpr, tpr, p).toFixed(3);
      say("star", `${point} has kappa ${here} at this prevalence; printed is ${kappa}.`);
    }
  }
  // The controls as the state has them.
  function steer(there, models, pair) {
    const { p, own, side } = state;
    const [low, high] = data.range;
    pair.forEach((one, i) => {
      byId(`model-${i}`).replaceChildren(...there.map((name) => make("option", name)));
      byId(`steered-${i}`).replaceChildren(sample(one));
    });
    for (const one of all("select")) one.value = state[one.name];
    for (const one of all("[type=radio]")) one.checked = one.value === `${state[one.name]}`;
    for (const name of ["own", "balanced", "best"]) byId(name).ariaPressed = state[name];
    for (const key of all("[data-key]"))
      key.replaceChildren(...(key.dataset.key === "pair" ? pair : models).map(sample));
    const text = own ? four(p) : p.toFixed(3);
    say("shown", text);
    Object.assign(byId("prevalence"), {
      min: side ? 1 - high : low,
      max: side ? 1 - low : high,
      value: p,
      ariaValueText: text,
    });
    const shown = `${costAt(p).toFixed(3)}`;
    say("cost-shown", shown);
    say("cost-of", data.classes[side]);
    Object.assign(byId("cost-share"), {
      min: data.least[1],
      max: 1 - data.least[1],
      value: costAt(p),
      ariaValueText: `${shown}, ${aukName()}`,
    });
    for (const button of all("[data-c]"))
      button.ariaPressed =
        !state.balanced && Math.abs(state.c - sided(Number(button.dataset.c))) < 1e-9;
    for (const button of all("[data-p]"))
      button.ariaPressed = !own && p === Number(button.dataset.p);
  }
  function curves(pair, p, point) {
    const { color } = pair[state.steered];
    const star = data.star && state.kind === "hull" && costAt(p) === 0.5 ? [data.star] : [];
    for (const [name, y] of [
      ["roc", "t"],
      ["kappa", "kappa"],
    ]) {
      const drawn = pair.map((one) => {
        const [f, t] = [dense(one.f), dense(one.t)];
        return { ...one, xs: f, ys: y === "t" ? t : f.map((x, i) => kappaAt(x, t[i], p)) };
      });
      fill(`${name}-lines`, drawn, "xs ys color dash");
      const bands = pair
        .filter((one) => one.band)
        .map((one) => {
          const ends = one.band.map(unpacked),
            f = ends[0].map((_, i) => i / (ends[0].length - 1));
          return outline(
            one.color,
            f,
            ...ends.map((each) => each.map((t, i) => (y === "t" ? t : kappaAt(f[i], t, p)))),
          );
        });
      fill(`${name}-bands`, bands, "xs ys color");
      if (name === "kappa")
        fit(
          name,
          [...drawn, ...bands].flatMap((one) => one.ys),
        );
      marks(name, [
        ...pair.map((one) => mark(one, one.f[one.best], one[y][one.best])),
        ...star.map((one) => ({
          x: one.fpr,
          y: y === "t" ? one.tpr : one.kappa,
          marker: "star",
          fill: "#1b1f24",
          size: 18,
        })),
        ring(point.f, point[y], color),
      ]);
    }
  }
  function areas(pair, p) {
    const places = (least) =>
      Array.from({ length: 491 }, (_, i) => least + (i / 490) * (1 - 2 * least));
    const ties = lines(
      "over",
      pair,
      places(grid[0]),
      (one, x) => one.area(x, costAt(x)),
      (one, x) => one.ends(x, costAt(x)),
      p,
    );
    say(
      "ties",
      ties.length
        ? `Here they tie at prevalence ${listed(ties.map((x) => x.toFixed(3)))}.`
        : "Here the lines do not cross.",
    );
    const costs = lines(
      "cost",
      pair,
      places(data.least[1]),
      (one, x) => one.area(p, x),
      (one, x) => one.ends(p, x),
      costAt(p),
    );
    fill(
      "cost-named",
      [0.5, 1 - p].map((x) => ({ x })),
      "x",
    );
    say(
      "cost-ties",
      costs.length
        ? `At this prevalence they tie at c = ${listed(costs.map((x) => x.toFixed(3)))}.`
        : "At this prevalence no cost makes them tie.",
    );
  }
  function update() {
    const replicate = data.replicates[state.replicate],
      there = Object.keys(replicate.models);
    [state.first, state.second] = new Set([
      ...[state.first, state.second].filter((one) => there.includes(one)),
      ...there,
    ]);
    if (state.own) state.p = sided(replicate.own);
    const { p, own, side } = state,
      models = there.map((name) => evaluate(replicate, name, p, own)),
      pair = [state.first, state.second].map((name) => models.find((one) => one.name === name));
    steer(there, models, pair);
    const chance = replicate.chance[side],
      tests = ["auc", "auk", "h", "kappa_max"].map((measure, i) =>
        state.kind === "raw" || i > 1
          ? adjusted(chance.tests, measure, pair, models, p, own)
          : null,
      );
    verdict(pair, tests);
    say("noise", noise(tests, chance.tests.length));
    numbers(pair, tests);
    byId("said").replaceChildren(...chance.said.map((one) => make("li", one)));
    curves(pair, p, pointOf(pair[state.steered], p, replicate));
    areas(pair, p);
    benefits(pair, p, 1 - costAt(p));
    plane(models, p);
    const counts = replicate.n.map((n, i) => `${n} of class ${data.classes[i]}`);
    const weighted = replicate.weighted ? ", by weight" : "";
    const groups = replicate.groups ? ` in ${replicate.groups} groups` : "";
    say("split", `${replicate.rows} rows${groups}: ${counts.join(" and ")}${weighted}.`);
    clearTimeout(saving);
    saving = setTimeout(
      () => history.replaceState(null, "", `#${new URLSearchParams(state)}`),
      150,
    );
  }
  // The view is in the address: browsers allow few changes of it in a second.
  let saving;
  function open() {
    const inside = (x, [low, high]) => x >= low && x <= high,
      least = data.least[1];
    const allowed = {
      side: (x) => x in data.classes,
      kind: (x) => x in data.bands,
      replicate: (x) => x in data.replicates,
      steered: (x) => x in data.classes,
      p: (x) => inside(Math.min(x, 1 - x), [data.least[0], 0.5]),
      c: (x) => inside(x, [least, 1 - least]),
      point: (x) => Number.isInteger(x) && x >= 0,
    };
    for (const [key, text] of new URLSearchParams(location.hash.slice(1))) {
      const given = { number: Number(text || NaN), boolean: text === "true", string: text }[
        typeof state[key]
      ];
      if (given !== undefined && (allowed[key]?.(given) ?? true)) state[key] = given;
    }
    update();
  }

  const change = (more) => {
    Object.assign(state, more);
    update();
  };
  const on = (target, event, act) => target.addEventListener(event, () => act(target));
  for (const plot of read("plots")) await Bokeh.embed.embed_item(plot);
  for (const name of ["own", "balanced", "best"])
    on(byId(name), "click", () => change({ [name]: true }));
  on(byId("prevalence"), "input", (one) => change({ own: false, p: Number(one.value) }));
  all("[data-p]").forEach((button) =>
    on(button, "click", () => change({ own: false, p: Number(button.dataset.p) })),
  );
  on(byId("cost-share"), "input", (one) => change({ balanced: false, c: Number(one.value) }));
  all("[data-c]").forEach((button) =>
    on(button, "click", () => change({ balanced: false, c: sided(Number(button.dataset.c)) })),
  );
  on(byId("point"), "input", (one) => change({ best: false, point: Number(one.value) }));
  const turned = () => ({ p: Math.round((1 - state.p) * 1000) / 1000, c: 1 - state.c });
  all("[type=radio]").forEach((one) =>
    on(one, "change", () =>
      change({
        [one.name]: one.name === "kind" ? one.value : Number(one.value),
        best: true,
        ...(one.name === "side" && turned()),
      }),
    ),
  );
  all("select").forEach((one) =>
    on(one, "change", () => {
      const other = { first: "second", second: "first" }[one.name],
        swapped = other && state[other] === one.value;
      change({
        best: true,
        ...(swapped && { [other]: state[one.name] }),
        [one.name]: other ? one.value : Number(one.value),
      });
    }),
  );
  on(window, "hashchange", open);
  // A canvas is cut where paper is narrower than the screen; a picture of it is not.
  const within = (root) =>
    [...root.querySelectorAll("*")].flatMap((one) => [
      one,
      ...(one.shadowRoot ? within(one.shadowRoot) : []),
    ]);
  on(window, "beforeprint", () => {
    for (const plot of all(".plot")) {
      const canvas = within(plot).find((one) => one.tagName === "CANVAS");
      if (canvas) plot.append(make("img", [], { src: canvas.toDataURL(), alt: "" }));
    }
  });
  on(window, "afterprint", () => all(".plot img").forEach((one) => one.remove()));
  open();
  document.documentElement.dataset.ready = "yes";
})();
