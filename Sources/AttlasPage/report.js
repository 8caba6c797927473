"use strict";
// A capture, or the plots of two captures: all that follows one range.
for (const capture of document.querySelectorAll("[data-span]")) {
  const find = (selector) => [...capture.querySelectorAll(selector)];
  // A leap of the clock is a gap of fixed width on the axis, as TimeAxis has it.
  const numbers = (capture.dataset.leaps ?? "").split(" ").filter(Boolean).map(Number);
  const leaps = numbers.filter((_, index) => index % 2 === 0).map((start, index) => [start, numbers[2 * index + 1]]);
  const seconds = leaps.reduce((left, [start, end]) => left - (end - start), Number(capture.dataset.span));
  const gap = Math.max(0.001, seconds) / 25;
  const toAxis = (time) => leaps.reduce((place, [start, end]) => {
    const passed = Math.min(Math.max(0, time - start), end - start);
    return place - passed + gap * passed / (end - start);
  }, time);
  const toTime = (place) => leaps.reduce((time, [start, end]) =>
    time + (end - start - gap) * Math.min(1, Math.max(0, time - start) / gap), place);
  const span = toAxis(Number(capture.dataset.span));
  const controls = capture.querySelector(".controls");
  const search = capture.querySelector(".search");
  const forms = [controls, search].filter(Boolean);
  const marks = find("svg.lane [data-t]").map((element) => ({
    element, first: toAxis(Number(element.dataset.t)), last: toAxis(Number(element.dataset.u ?? element.dataset.t)),
  }));
  // What was seen at a time, or from one to another. A row is one of the conversation.
  const items = find("tr[data-t], li[data-t], article[data-t], details[data-t]").map((element) => {
    const isRow = Boolean(search?.parentElement.contains(element));
    return {
      element, isRow, first: toAxis(Number(element.dataset.t)), last: toAxis(Number(element.dataset.u ?? element.dataset.t)),
      text: isRow ? element.textContent.toLowerCase() : "", isStep: element.parentElement.matches(".sequence"),
    };
  });
  const isWithin = (first, last) => first <= to + 1e-6 && last >= from - 1e-6;
  const notes = find("p[data-of]").map((note) => ({
    note, elements: items.map((item) => item.element)
      .filter((element) => note.parentElement.contains(element) && element.matches(note.dataset.of)),
  }));
  const stepNote = capture.querySelector("[data-limit]");
  const stepLimit = Number(stepNote?.dataset.limit ?? Infinity);
  const leftOut = find("tr.left-out");
  const rowCount = items.filter((item) => item.isRow).length;
  let from = 0, to = span;

  const element = (name, attributes, text = "") => {
    const element = document.createElementNS(capture.querySelector("svg").namespaceURI, name);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    element.textContent = text;
    return element;
  };

  // About five times of the range that are multiples of 1, 2 or 5 × 10ⁿ, as TimeAxis has them.
  function roundTimes() {
    const least = (to - from) / 5, power = 10 ** Math.floor(Math.log10(least));
    const step = [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * (1 - 1e-9));
    const places = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
    const edges = [0, ...leaps.flat(), Number(capture.dataset.span)], ticks = [];
    for (let index = 0; index < edges.length; index += 2) {
      const [start, end] = [Math.max(edges[index], toTime(from)), Math.min(edges[index + 1], toTime(to))];
      for (let count = Math.ceil(start / step); count * step <= end; count += 1) {
        const place = toAxis(count * step);
        if (place >= (ticks.at(-1)?.place ?? -Infinity) + (to - from) / 12) {
          ticks.push({ place, time: count * step, label: `${(count * step).toFixed(places)} s` });
        }
      }
    }
    return ticks;
  }

  // What a line comes to within the range, read from its drawing: as exactly as that is.
  const captions = find(".sum").map((element) => {
    const figure = element.closest("figure"), index = [...figure.querySelectorAll(".sum")].indexOf(element);
    const line = figure.querySelectorAll("path[data-n]")[index], { scale, unit } = line.parentElement.dataset;
    return { element, whole: element.textContent, line, scale: scale.split(" ").map(Number), unit: unit ? ` ${unit}` : "" };
  });
  function inRange(caption) {
    const [low, high] = caption.scale, counts = caption.line.dataset.n.split(",");
    caption.points ??= [...caption.line.getAttribute("d").matchAll(/[ML]([\d.]+) ([\d.]+)(?:V([\d.]+))?/g)].map(([, x, top, bottom], index) => {
      const [count, mean] = (counts[index] || "1").split(":");
      return { place: x / 1e4 * span, count: Number(count), numbers: [bottom ?? top, top, mean ?? top].map((y) => low + (high - low) * (93.75 - y) / 87.5) };
    });
    const points = caption.points.filter(({ place }) => isWithin(place, place));
    if (points.length === 0) return "no value in this range";
    const count = points.reduce((sum, point) => sum + point.count, 0);
    const least = Math.min(...points.map(({ numbers }) => numbers[0])), most = Math.max(...points.map(({ numbers }) => numbers[1]));
    const mean = points.reduce((sum, { count, numbers }) => sum + count * numbers[2], 0) / count;
    const places = Math.max(0, Math.min(4, Math.floor(-Math.log10((high - low) / 8750))));
    const text = (number) => String(Number(number.toFixed(Math.min(places, Math.abs(number) >= 100 ? 1 : 2 + 2 * (Math.abs(number) < 1)))));
    const [first, last] = [text(least), text(most)];
    if (caption.whole.startsWith("at most")) return `at most ${last}${caption.unit}, mean ${text(mean)}${caption.unit}`;
    const values = `${count} ${count === 1 ? "value" : "values"}, `;
    if (first === last) return `${values}${count > 1 ? "all " : ""}${last}${caption.unit}`;
    return `${values}${first} to ${last}${caption.unit}, mean ${text(mean)}${caption.unit}`;
  }

  // The range that is shown.
  function show(newFrom, newTo) {
    const length = Math.min(span, Math.max(newTo - newFrom, span / 1e6, 1e-6));
    from = Math.min(Math.max(0, newFrom), span - length);
    to = from + length;
    const percent = (time) => `${(time / length * 100).toFixed(3)}%`;
    for (const { element, first, last } of marks) {
      element.style.visibility = isWithin(first, last) ? "" : "hidden";
      const start = Math.min(Math.max(first, from), to);
      element.setAttribute("x", percent(start - from));
      if (element.tagName === "rect") element.setAttribute("width", percent(Math.max(0, Math.min(last, to) - start)));
    }
    for (const plot of find("svg.plot, svg.band")) {
      plot.setAttribute("viewBox", `${from / span * 1e4} 0 ${length / span * 1e4} 100`);
    }
    const ticks = roundTimes();
    for (const drawing of find("svg.ticks")) {
      const { clock, zone } = drawing.dataset;
      drawing.replaceChildren(...ticks.map(({ place, time, label }) => {
        const x = percent(place - from), kind = place - from < 0.04 * length ? "" : to - place < 0.04 * length ? "last" : "middle";
        const labels = clock ? [label, new Date((Number(clock) + time) % 86400 * 1000).toISOString().slice(11, 19) + zone] : [label];
        const tick = element("g", {});
        tick.append(element("rect", { x, width: 1, height: 4 }),
          ...labels.map((label, index) => element("text", { x, y: 15 + 14 * index, class: kind }, label)));
        return tick;
      }));
    }
    const isWhole = from === 0 && to === span;
    for (const caption of captions) caption.element.textContent = isWhole ? caption.whole : inRange(caption);
    controls.elements.from.value = toTime(from).toFixed(6);
    controls.elements.to.value = toTime(to).toFixed(6);
    select();
  }

  // What of the lists lies in the range, and has what is searched for.
  function select() {
    const words = search?.elements.search.value.toLowerCase() ?? "";
    let rows = 0, steps = 0;
    for (const { element, first, last, isRow, isStep, text } of items) {
      const isFound = isWithin(first, last) && (!isRow || text.includes(words));
      if (isFound && isRow) rows += 1;
      if (isFound && isStep) steps += 1;
      element.hidden = !isFound || isStep && steps > stepLimit;
    }
    const isAll = from === 0 && to === span;
    for (const { note, elements } of notes) {
      note.hidden = isAll;
      note.firstChild.textContent = `${elements.filter((element) => !element.hidden).length} of ${elements.length}`;
    }
    for (const row of leftOut) row.hidden = words !== "" || !isAll;
    if (search) search.querySelector("output").textContent = `${rows} of ${rowCount} rows`;
    if (stepNote) {
      stepNote.textContent = steps > stepLimit
        ? `The first ${stepLimit} of ${steps} steps. A range that is chosen shows its own.` : `All ${steps} steps of the range.`;
    }
    controls.querySelector("output").textContent =
      isAll ? "the whole capture" : `${(toTime(to) - toTime(from)).toPrecision(4)} s of ${toTime(span).toPrecision(4)} s`;
  }

  const zoom = (factor) => {
    const middle = (from + to) / 2, half = (to - from) / 2 * factor;
    show(middle - half, middle + half);
  };
  const move = (parts) => show(from + (to - from) * parts, to + (to - from) * parts);
  const actions = {
    in: () => zoom(0.5), out: () => zoom(2), back: () => move(-0.5), on: () => move(0.5), all: () => show(0, span),
  };
  controls.addEventListener("click", (event) => actions[event.target.name]?.());
  controls.addEventListener("change", () => {
    const [first, last] = ["from", "to"].map((name) => toAxis(Number(controls.elements[name].value)));
    if (last > first) show(first, last);
  });
  for (const form of forms) form.addEventListener("submit", (event) => event.preventDefault());
  search?.addEventListener("input", select);
  // A click on a row opens its layers and octets.
  search?.parentElement.addEventListener("click", ({ target }) => {
    const details = target.closest("tr")?.querySelector("details");
    if (details && !target.closest("details, a") && getSelection().isCollapsed) details.open = !details.open;
  });

  const keys = {
    ArrowLeft: () => move(-0.25), ArrowRight: () => move(0.25), "+": () => zoom(0.5), "-": () => zoom(2),
    Escape: actions.all,
  };
  const group = capture.querySelector("[role=group]");
  group.tabIndex = 0;
  group.addEventListener("keydown", (event) => {
    if (event.target !== group || !keys[event.key]) return;
    keys[event.key]();
    event.preventDefault();
  });

  // A range is chosen by dragging; a click goes to the incident or the record of a mark.
  for (const area of find(".time")) {
    let start = null, chosen = null;
    const share = (event) => {
      const box = area.querySelector("svg").getBoundingClientRect();
      return Math.min(1, Math.max(0, (event.clientX - box.left) / box.width));
    };
    area.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      start = share(event);
      chosen = document.createElement("div");
      chosen.className = "chosen";
      area.append(chosen);
      area.setPointerCapture(event.pointerId);
    });
    area.addEventListener("pointermove", (event) => {
      if (start === null) return;
      const now = share(event);
      chosen.style.left = `${Math.min(start, now) * 100}%`;
      chosen.style.width = `${Math.abs(now - start) * 100}%`;
    });
    const end = (event) => {
      if (start === null) return;
      const [first, last] = [start, share(event)].sort((one, other) => one - other);
      chosen.remove();
      start = null;
      if (event.type === "pointercancel") return;
      if ((last - first) * area.clientWidth > 4) {
        const length = to - from;
        show(from + first * length, from + last * length);
        return;
      }
      const mark = document.elementFromPoint(event.clientX, event.clientY)?.closest("[data-to]");
      if (mark) location.hash = `${capture.id}-${mark.dataset.to}`;
    };
    area.addEventListener("pointerup", end);
    area.addEventListener("pointercancel", end);
  }

  // A second line on a plot, with a scale of its own on the right. Plots of two captures have theirs.
  const figures = find(".capture figure.plot");
  const nameOf = (figure) => [...figure.querySelectorAll("bdi, strong")].map((part) => part.textContent).join(" · ");
  for (const figure of figures.length > 1 ? figures : []) {
    const chooser = document.createElement("select");
    chooser.setAttribute("aria-label", `Second line on ${nameOf(figure)}`);
    chooser.append(new Option("with …", ""));
    const fill = () => {
      if (chooser.length > 1) return;
      figures.forEach((other, index) => other !== figure && chooser.append(new Option(nameOf(other), index)));
    };
    for (const kind of ["focus", "pointerdown"]) chooser.addEventListener(kind, fill);
    chooser.addEventListener("change", () => {
      const [frame, plot] = [".frame", "svg.plot"].map((selector) => figure.querySelector(selector));
      for (const old of frame.querySelectorAll(".second")) old.remove();
      if (chooser.value === "") return;
      const other = figures[chooser.value];
      for (const mark of other.querySelectorAll("svg.plot .line:not(.second), .scale:not(.second)")) {
        const copy = mark.cloneNode(true);
        copy.classList.add("second");
        (mark.matches(".scale") ? frame : plot).append(copy);
      }
    });
    figure.querySelector("figcaption").append(chooser);
  }

  // A row or a mark that is asked for is shown, whatever is chosen or folded, and not below a heading that stays.
  const reveal = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!target || !capture.contains(target)) return;
    for (let part = target.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
    if (target.dataset.t) {
      const time = toAxis(Number(target.dataset.t));
      if (target.hidden || !isWithin(time, time)) {
        if (search) search.elements.search.value = "";
        show(0, span);
      }
    }
    if (target.matches("tr, li, use")) target.scrollIntoView({ block: "center" });
  };
  addEventListener("hashchange", reveal);
  // The same link once more changes no address.
  addEventListener("click", (event) => {
    if (event.target.closest("a")?.hash === location.hash) reveal();
  });

  for (const form of forms) form.hidden = false;
  select();
  controls.elements.from.value = (0).toFixed(6);
  controls.elements.to.value = toTime(span).toFixed(6);
  reveal();
}
