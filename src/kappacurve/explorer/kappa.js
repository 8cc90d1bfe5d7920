// oxlint-disable no-unused-vars -- scripts that stand after this one call them
// Kappa and the area under it, as kappa_from_rates and area_under_kappa of the package.
// p is the prevalence, c the cost of a missed positive.

// Numerator and denominator of kappa: equation 19 of Kaymak et al. at c = 1/2.
function kappaTerms(f, t, p, c) {
  const above = 2 * p * (1 - p) * (t - f);
  return [above, above + 2 * (1 - c) * (1 - p) * f + 2 * c * p * (1 - t)];
}
function kappaAt(f, t, p, c) {
  const [above, below] = kappaTerms(f, t, p, c);
  return below > 0 ? above / below : 0;
}
// In closed form along each straight segment, as kappa_segment of the package.
function aukOf(fs, ts, p, c) {
  const slope = 2 * ((1 - c) * (1 - p) - c * p);
  let [above0, below0] = kappaTerms(fs[0], ts[0], p, c);
  let area = 0;
  for (let i = 1; i < fs.length; i++) {
    const [above, below] = kappaTerms(fs[i], ts[i], p, c);
    const width = fs[i] - fs[i - 1];
    if (width > 0) {
      const inverse = 1 / (below0 + below);
      const z = slope * ((1 - p) * width + p * (ts[i] - ts[i - 1])) * inverse;
      const w = z * z;
      let tail = 0;
      if (w < 0.01) for (let k = 19; k > 1; k -= 2) tail = tail * w + 1 / k;
      else tail = ((0.5 * Math.log(below / below0)) / z - 1) / w;
      // A line to where kappa is 0/0: it is constant.
      const flat = below0 < 1e-290 || below < 1e-290;
      const sum = above0 + above;
      const mean = flat ? sum : sum * (1 + w * tail) - (above - above0) * z * tail;
      area += width * mean * inverse;
    }
    [above0, below0] = [above, below];
  }
  return area;
}
