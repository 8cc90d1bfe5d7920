// Curves, measures and bounds of two classes of counted scores: the formulas of the package's
// curves, areas, h_measure and bounds, for any prevalence. Nothing here knows of the page.
"use strict";

const kappacurve = (() => {
  // Kappas nearer to each other than this share are rounded versions of the same number.
  const SAME_KAPPA = 1 + 8 * Number.EPSILON;
  const GOLDEN = (Math.sqrt(5) - 1) / 2;

  // ---- curves ----

  // ROC vertices in counts, from (0, 0) to (all, all). `scored` has the distinct scores, falling,
  // with the bad and good rows at each. Good is predicted at or below a threshold, bad at or above.
  function rawCurve(scored, positiveClass) {
    const good = positiveClass === "good";
    const threshold = [good ? -Infinity : Infinity];
    const fp = [0];
    const tp = [0];
    const n = scored.score.length;
    for (let i = 0; i < n; i++) {
      const at = good ? n - 1 - i : i;
      threshold.push(scored.score[at]);
      fp.push(fp[i] + scored[good ? "bad" : "good"][at]);
      tp.push(tp[i] + scored[good ? "good" : "bad"][at]);
    }
    return withRates(fp, tp, threshold);
  }

  function withRates(fp, tp, threshold) {
    const nNegative = fp.at(-1);
    const nPositive = tp.at(-1);
    return {
      fp, tp, threshold, nNegative, nPositive,
      f: fp.map((count) => count / nNegative),
      t: tp.map((count) => count / nPositive),
    };
  }

  // Upper convex hull (Andrew's monotone chain), in whole numbers: corners on a line are dropped.
  // `vertex` says which vertices of the curve the corners are.
  function hullOf(curve) {
    const { fp, tp, threshold } = curve;
    const kept = [];
    for (let i = 0; i < fp.length; i++) {
      while (kept.length > 1) {
        const [a, b] = kept.slice(-2);
        const turn = (tp[b] - tp[a]) * (fp[i] - fp[a]) - (fp[b] - fp[a]) * (tp[i] - tp[a]);
        if (turn > 0) break;
        kept.pop();
      }
      kept.push(i);
    }
    const at = (values) => kept.map((i) => values[i]);
    return { ...withRates(at(fp), at(tp), at(threshold)), vertex: kept };
  }

  // More points along straight ROC segments, because kappa is not straight along them.
  function alongSegments(curve, step = 0.005) {
    const f = [curve.f[0]];
    const t = [curve.t[0]];
    for (let i = 1; i < curve.f.length; i++) {
      const width = curve.f[i] - curve.f[i - 1];
      const height = curve.t[i] - curve.t[i - 1];
      const pieces = Math.max(1, Math.ceil(Math.max(width, height) / step - 1e-9));
      for (let k = 1; k <= pieces; k++) {
        f.push(curve.f[i - 1] + (width * k) / pieces);
        t.push(curve.t[i - 1] + (height * k) / pieces);
      }
    }
    return { f, t };
  }

  // ---- kappa and the areas ----

  // Numerator and denominator of kappa (equation 19); the latter is the former plus the error rate.
  function kappaTerms(f, t, p) {
    const above = 2 * p * (1 - p) * (t - f);
    return [above, above + ((1 - p) * f + p * (1 - t))];
  }

  function kappa(f, t, p) {
    const [above, below] = kappaTerms(f, t, p);
    return above / below;
  }

  // Twice the area is a whole number of pairs of rows.
  function auc({ fp, tp, nNegative, nPositive }) {
    let area = 0;
    for (let i = 1; i < fp.length; i++) area += (fp[i] - fp[i - 1]) * (tp[i] + tp[i - 1]);
    return area / (2 * nPositive * nNegative);
  }

  // Exact integral of kappa over f along the straight segments (areas.area_under_kappa).
  function auk({ f, t }, p) {
    let sum = 0;
    let [above0, below0] = kappaTerms(f[0], t[0], p);
    for (let i = 1; i < f.length; i++) {
      const [above1, below1] = kappaTerms(f[i], t[i], p);
      const width = f[i] - f[i - 1];
      if (width > 0) {
        const both = below0 + below1;
        const z = ((1 - 2 * p) * ((1 - p) * width + p * (t[i] - t[i - 1]))) / both;
        const tail = logTail(z, below0, below1);
        const mean = (above0 + above1) * (1 + z * z * tail) - (above1 - above0) * z * tail;
        sum += (width * mean) / both;
      }
      [above0, below0] = [above1, below1];
    }
    return sum;
  }

  // (atanh(z) / z - 1) / z^2 for z = (end - start) / (end + start); a series where z is small.
  function logTail(z, start, end) {
    const w = z * z;
    if (w >= 0.01) return ((0.5 * Math.log(end / start)) / z - 1) / w;
    let total = 0;
    for (let k = 19; k > 1; k -= 2) total = total * w + 1 / k;
    return total;
  }

  // H-measure of a hull with the weight Beta(2, 2) on the cost (Hand 2009, equations 13 to 17).
  function hMeasure({ f, t }, p) {
    const q = 1 - p;
    const last = f.length - 1;
    if (last === 1) return 0;
    const moment = (x) => x * x * x * (2 - 1.5 * x); // of 6 c (1 - c), from 0 to x
    let loss = 0;
    let [upper, upperRest] = [1, 0]; // 1 - c is kept apart: near c = 1 it would lose digits
    for (let i = 0; i <= last; i++) {
      let [lower, lowerRest] = [0, 1];
      if (i < last) {
        const gain = p * (t[i + 1] - t[i]);
        const harm = q * (f[i + 1] - f[i]);
        [lower, lowerRest] = [gain / (gain + harm), harm / (gain + harm)];
      }
      loss += q * f[i] * (moment(upper) - moment(lower));
      loss += p * (1 - t[i]) * (moment(lowerRest) - moment(upperRest));
      [upper, upperRest] = [lower, lowerRest];
    }
    return 1 - loss / (q * moment(p) + p * moment(q));
  }

  // The vertex of the largest kappa; of several the one with the smallest f.
  function optimum({ f, t }, p) {
    let index = 0;
    let largest = 0;
    for (let i = 1; i < f.length; i++) {
      const value = kappa(f[i], t[i], p);
      if (value > largest * SAME_KAPPA) [index, largest] = [i, value];
    }
    return { index, kappa: largest };
  }

  // Ends of the line of points with the same kappa, cut off at the sides of the unit square.
  function equalKappa(value, p) {
    const slope = 2 * p * (1 - p) * (1 - value);
    const tOf = (f) => (value * p + f * (slope + value * (1 - p))) / (slope + value * p);
    const fOf = (t) => (t * (slope + value * p) - value * p) / (slope + value * (1 - p));
    const start = Math.max(0, fOf(0));
    const end = Math.min(1, fOf(1));
    return { x: [start, end], y: [tOf(start), tOf(end)] };
  }

  // ---- where two models change places ----

  // 1 if the first is larger, -1 if the second is, 0 if only rounding tells them apart.
  const order = (one, other) => (Math.abs(one - other) < 1e-12 ? 0 : Math.sign(one - other));

  // Prevalences in [first, last] at which the two curves have the same AUK.
  function crossings(one, other, [first, last], pieces = 98) {
    const lead = (p) => auk(one, p) - auk(other, p);
    const found = [];
    let low = first;
    for (let k = 1; k <= pieces; k++) {
      const high = first + ((last - first) * k) / pieces;
      if (lead(low) * lead(high) < 0) found.push(bisect(lead, low, high));
      low = high;
    }
    return found;
  }

  function bisect(value, low, high, steps = 50) {
    const sign = Math.sign(value(low));
    for (let k = 0; k < steps; k++) {
      const middle = (low + high) / 2;
      if (Math.sign(value(middle)) === sign) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  }

  // ---- which AUKs an AUC allows (the proofs are in the package's bounds.py) ----

  function aukBounds(area, p, kind) {
    if (p === 0.5) return { lower: area - 0.5, upper: area - 0.5 };
    const simple = auk(kind === "concave" ? triangle(area) : step(area), p);
    if (p < 0.5) {
      const other = kind === "concave" ? corners(2 * area - 1, 1) : plateau(area);
      return { lower: simple, upper: auk(other, p) };
    }
    const least = kind === "concave" ? concaveMinimum(area, p) : monotoneMinimum(area, p);
    return { lower: least, upper: simple };
  }

  const corners = (height, start) => ({ f: [0, 0, start, 1], t: [0, height, 1, 1] });
  const triangle = (area) => corners(0, 2 * (1 - area));
  const step = (area) => ({ f: [0, 1 - area, 1 - area, 1], t: [0, 0, 1, 1] });
  const plateau = (area) => ({ f: [0, 0, 1, 1], t: [0, area, area, 1] });

  // The jump line, or for a high AUC the best curve with a second corner (golden-section search).
  function concaveMinimum(area, p) {
    const mean = 2 * (1 - area);
    if (mean === 0 || p * (1 - mean) <= 0.5) return auk(corners(1 - mean, 1), p);
    const value = (start) => auk(corners(1 - mean / start, start), p);
    let [low, high] = [mean, 1];
    for (let k = 0; k < 40; k++) {
      const left = high - GOLDEN * (high - low);
      const right = low + GOLDEN * (high - low);
      if (value(left) < value(right)) high = right;
      else low = left;
    }
    return value((low + high) / 2);
  }

  // Smallest AUK of monotone curves for p > 1/2: t is a square root of a linear function of f,
  // clipped to [0, 1]; its level is found by bisection. All integrals are polynomials in v.
  function monotoneMinimum(area, p) {
    const q = 1 - p;
    const slant = 2 * p - 1;
    const end = 1 / (p + Math.sqrt(p * q)); // v at f = 1
    const start = (-slant * end * (1 + q * end)) / (1 - slant * end); // the curve t = 0
    const level = bisect((one) => middle(one, p, end).area - area, start, 1, 60);
    const found = middle(level, p, end);
    const [f0] = stationary(found.first, level, p);
    const [f1] = stationary(found.last, level, p);
    return auk({ f: [0, f0], t: [0, 0] }, p) + found.auk + auk({ f: [f1, 1], t: [1, 1] }, p);
  }

  function stationary(v, level, p) {
    const a = 1 - 2 * p;
    return [p * v * (2 + a * v), level + a * v * (level - 1) - (1 - p) * a * v * v];
  }

  // AUC of the clipped curve, AUK of the part with 0 < t < 1, and where in v that part is.
  function middle(level, p, end) {
    const slant = 2 * p - 1;
    const [first, last] = [0, 1].map((t) => whereTIs(t, level, p, end));
    const half = (last - first) / 2;
    let [area, sum] = [0, 0];
    // Gauss-Legendre with three nodes is exact for the polynomials here.
    for (const [node, weight] of [[-Math.sqrt(0.6), 5 / 9], [0, 8 / 9], [Math.sqrt(0.6), 5 / 9]]) {
      const v = (first + last) / 2 + half * node;
      const [f, t] = stationary(v, level, p);
      area += half * weight * t * 2 * p * (1 - slant * v);
      sum += half * weight * (t - f);
    }
    const reached = p * last * (2 - slant * last);
    return {
      area: area + 1 - Math.min(reached, 1),
      auk: (sum * 4 * p * (1 - p)) / (1 - slant * level),
      first,
      last,
    };
  }

  // The v at which the stationary curve reaches t, within [0, end].
  function whereTIs(t, level, p, end) {
    const slant = 2 * p - 1;
    const rest = Math.max(t - level, 0);
    const linear = slant * (1 - level);
    const root = linear + Math.sqrt(linear * linear + 4 * (1 - p) * slant * rest);
    return Math.min((2 * rest) / Math.max(root, 1e-300), end);
  }

  return {
    rawCurve, hullOf, alongSegments, kappa, auc, auk, hMeasure, optimum, equalKappa, order,
    crossings, aukBounds,
  };
})();
