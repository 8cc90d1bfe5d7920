// The opening of the documentation: two models, one slider for the cost of a missed positive.
// kappaAt and aukOf are those of the explorer, in kappa.js.
"use strict";

const PREVALENCE = 0.1;
// Normal scores: the distance of the class means, and the spread of the positives.
const MODELS = {
  A: { distance: 1.1, spread: 0.6 },
  B: { distance: 1.9, spread: 2 },
};
const BOX = { left: 44, right: 330, top: 26, bottom: 228 };

// Abramowitz & Stegun 7.1.26, to 1.5e-7.
function normalCdf(z) {
  const t = 1 / (1 + (0.3275911 * Math.abs(z)) / Math.SQRT2);
  const terms = [1.061405429, -1.453152027, 1.421413741, -0.284496736, 0.254829592];
  const tail = terms.reduce((sum, term) => (sum + term) * t, 0) * Math.exp((-z * z) / 2);
  return z < 0 ? tail / 2 : 1 - tail / 2;
}

function rocCurve({ distance, spread }) {
  const points = [[0, 0]];
  for (let z = -7; z <= 7.001; z += 0.02) {
    points.push([normalCdf(z), normalCdf((distance + z) / spread)]);
  }
  return [...points, [1, 1]];
}

function kappaCurve(points, c) {
  return points.map(([f, t]) => [f, kappaAt(f, t, PREVALENCE, c)]);
}

function areaUnder(points, c) {
  const [f, t] = [0, 1].map((axis) => points.map((point) => point[axis]));
  return aukOf(f, t, PREVALENCE, c);
}

const roc = Object.fromEntries(Object.entries(MODELS).map(([name, own]) => [name, rocCurve(own)]));

function sentence(c, areas) {
  const ratio = c / (1 - c);
  const costs =
    c === 0.5
      ? "A missed positive costs as much as a false alarm"
      : `A missed positive costs ${Number(ratio.toPrecision(2))} false alarms`;
  const measure =
    c === 0.5 ? "AUK" : Math.abs(c - 1 + PREVALENCE) < 1e-9 ? "AUC − 1/2" : "this area";
  const [best, other] = areas.A > areas.B ? ["A", "B"] : ["B", "A"];
  const [high, low] = [areas[best], areas[other]].map((area) => area.toFixed(3));
  const order = high === low ? `models A and B tie at ${high}` : `model ${best} leads`;
  const numbers = high === low ? "" : `, ${high} to ${low}`;
  const cost = `(<i>c</i> = ${c.toFixed(2)})`;
  return `${costs} ${cost}. By ${measure} <strong>${order}</strong>${numbers}.`;
}

const x = (f) => BOX.left + f * (BOX.right - BOX.left);
const y = (value, top) => BOX.bottom - (value / top) * (BOX.bottom - BOX.top);

function path(points, top) {
  return points
    .map(([f, v], i) => `${i ? "L" : "M"}${x(f).toFixed(1)} ${y(v, top).toFixed(1)}`)
    .join("");
}

function axes(title, yLabel, top, ticks) {
  const { left, right, bottom } = BOX;
  const middle = (BOX.top + bottom) / 2;
  const marks = ticks.map(
    (tick) => `<text x="${left - 6}" y="${y(tick, top) + 4}"
    text-anchor="end">${tick}</text><path class="tick" d="M${left - 3} ${y(tick, top)}h3"/>`,
  );
  const below = [0, 0.5, 1].map(
    (tick) => `<text x="${x(tick)}" y="${bottom + 16}"
    text-anchor="middle">${tick}</text><path class="tick" d="M${x(tick)} ${bottom}v3"/>`,
  );
  return `<text class="title" x="${left}" y="14">${title}</text>
    <path class="axis" d="M${left} ${BOX.top}V${bottom}H${right}"/>
    ${marks.join("")}${below.join("")}
    <text x="${x(0.5)}" y="${bottom + 34}" text-anchor="middle">false positive rate</text>
    <text transform="translate(11 ${middle}) rotate(-90)" text-anchor="middle">${yLabel}</text>`;
}

function draw(svg, head, curves, top, labels, shaded) {
  const parts = Object.entries(curves).map(([name, points]) => {
    const line = path(points, top);
    const fill = shaded ? `<path class="area ${name}" d="${line}L${x(1)} ${y(0, top)}Z"/>` : "";
    return `${fill}<path class="line ${name}" d="${line}"/>`;
  });
  const names = Object.entries(labels).map(
    ([name, [f, v]]) => `<text class="name ${name}" x="${x(f)}" y="${y(v, top)}">${name}</text>`,
  );
  svg.innerHTML = head + parts.join("") + names.join("");
}

function update() {
  const c = Number(document.getElementById("opening-cost").value);
  const curves = Object.fromEntries(
    Object.entries(roc).map(([name, points]) => [name, kappaCurve(points, c)]),
  );
  const areas = Object.fromEntries(
    Object.entries(roc).map(([name, points]) => [name, areaUnder(points, c)]),
  );
  const [f, v] = curves.B.reduce((best, point) => (point[1] > best[1] ? point : best));
  const right = curves.A.find((point) => point[0] > 0.5);
  const labels = { A: [right[0], right[1] + 0.03], B: [f, v + 0.02] };
  const head = axes("Areas under kappa at this cost", "kappa", 0.7, [0, 0.2, 0.4, 0.6]);
  draw(document.getElementById("opening-kappa"), head, curves, 0.7, labels, true);
  const answer = document.getElementById("opening-answer");
  answer.innerHTML = sentence(c, areas);
  answer.dataset.areas = JSON.stringify(areas);
}

const head = axes("ROC curves", "true positive rate", 1, [0, 0.5, 1]);
const places = { A: [0.25, 0.88], B: [0.7, 0.8] };
draw(document.getElementById("opening-roc"), head, roc, 1, places, false);
document.getElementById("opening-cost").addEventListener("input", update);
update();
document.getElementById("opening").hidden = false;
document.documentElement.classList.add("with-opening");
