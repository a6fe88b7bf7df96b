"use strict";
(() => {
  const make = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name === "on") for (const [event, f] of Object.entries(value)) element.addEventListener(event, f);
      else if (value !== null && value !== false) element.setAttribute(name, value);
    }
    element.append(...children.filter((child) => child !== null));
    return element;
  };
  const count = (x) => (x === null || x === undefined ? "" : x.toLocaleString("en-US", { maximumFractionDigits: 3 }));
  const percent = (x) => (x === null || x === undefined ? "" : typeof x === "string" ? x : fixed(x * 100) + "\u202f%");
  const fixed = (x) => x.toFixed(2);

  // ---- sorting and filtering, the same for every table
  const key = (cell) => {
    if (!cell) return "";
    const v = cell.dataset.v;
    if (v === undefined) return cell.textContent.trim();
    const n = parseFloat(v);
    return Number.isNaN(n) ? -Infinity : n;
  };
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true }));
  function sortable(table) {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      if (!head.textContent) return;
      head.classList.add("sort");
      head.tabIndex = 0;
      const sort = () => {
        const falling = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") === "ascending" : head.classList.contains("n");
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", falling ? "descending" : "ascending");
        table.querySelectorAll("tr.detail").forEach((row) => row.remove());
        table.querySelectorAll("tr.open").forEach((row) => row.classList.remove("open"));
        const rows = [...table.tBodies[0].rows].map((row) => [key(row.cells[column]), row]);
        rows.sort((a, b) => (falling ? compare(b[0], a[0]) : compare(a[0], b[0])));
        table.tBodies[0].append(...rows.map((entry) => entry[1]));
      };
      head.addEventListener("click", sort);
      head.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sort(); }
      });
    });
  }
  function filterable(table) {
    const box = make("input", { type: "search", placeholder: "Filter rows", "aria-label": "Filter rows", on: {
      input: () => {
        const wanted = box.value.toLocaleLowerCase("en");
        for (const row of table.tBodies[0].rows) {
          if (!row.classList.contains("detail")) row.hidden = wanted !== "" && !row.textContent.toLocaleLowerCase("en").includes(wanted);
          else if (row.previousElementSibling) row.hidden = row.previousElementSibling.hidden;
        }
      } } });
    const frame = table.closest(".scroll");
    frame.parentNode.insertBefore(make("p", { class: "filter" }, box), frame);
  }
  document.querySelectorAll("table.sortable").forEach(sortable);
  document.querySelectorAll("table.filterable").forEach(filterable);

  // ---- from the campaign down to the segment
  const root = { n: "Campaign", c: JSON.parse(document.getElementById("tree").textContent) };
  const levels = ["System", "Genre", "Kit", "Document"];
  const browser = document.getElementById("browser");
  const blocks = new Map();
  let wanted = null;

  // A block lies in the page, or is a script in the folder beside it that hands its content over.
  const arrived = new Map();
  window.madcatBlock = (number, content) => arrived.set(number, content);

  function load(number) {
    const inside = document.getElementById("b" + number);
    if (inside) return Promise.resolve(inside.textContent);
    const folder = browser.dataset.folder;
    return new Promise((good, bad) => {
      const script = make("script", { src: encodeURIComponent(folder) + "/b" + number + ".js", on: {
        load: () => { script.remove(); good(arrived.get(number)); arrived.delete(number); },
        error: () => { script.remove(); bad(new Error("The folder " + folder + " must lie beside this page; its file b" + number + ".js cannot be read.")); } } });
      document.head.append(script);
    });
  }

  async function block(number) {
    if (!blocks.has(number)) {
      const text = await load(number);
      const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
      blocks.set(number, JSON.parse(await new Response(stream).text()));
      if (blocks.size > 8) blocks.delete(blocks.keys().next().value);
    }
    return blocks.get(number);
  }

  function path() {
    const match = /^#explore\/([\d/]+)$/.exec(location.hash);
    const steps = match ? match[1].split("/").map(Number) : [];
    const nodes = [root];
    for (const step of steps) {
      const next = (nodes[nodes.length - 1].c || [])[step];
      if (!next) break;
      nodes.push(next);
    }
    return { steps: steps.slice(0, nodes.length - 1), nodes };
  }

  const address = (steps) => "#explore" + (steps.length ? "/" + steps.join("/") : "");
  const label = (node) => (node.set && node.set !== "evaluation" ? node.n + " (" + node.set + " set)" : node.n);

  async function show() {
    if (!browser) return;
    const { steps, nodes } = path();
    const node = nodes[nodes.length - 1];
    const crumbs = make("p", { class: "crumbs" });
    nodes.forEach((each, depth) => {
      if (depth) crumbs.append(make("span", {}, " / "));
      const name = make("bdi", {}, label(each));
      crumbs.append(depth < nodes.length - 1 ? make("a", { href: address(steps.slice(0, depth)) }, name) : name);
    });
    const content = node.c ? listing(node, steps)
      : await segments(node, nodes).catch((error) => make("p", { class: "notice" }, error.message));
    browser.replaceChildren(crumbs, content);
    const table = browser.querySelector("table");
    if (table && table.tBodies[0].rows.length > 1) sortable(table);
    if (table && table.tBodies[0].rows.length > 8) filterable(table);
  }

  function head(...titles) {
    return make("thead", {}, make("tr", {}, ...titles.map(([title, n, note]) => make("th", { scope: "col", class: n ? "n" : null, title: note || null }, title))));
  }
  const number = (v, text, extra = "") => make("td", { class: "n " + extra, "data-v": v === null ? "" : v }, text);

  function listing(node, steps) {
    const top = Math.max(...node.c.map((child) => (typeof child.s[3] === "number" ? child.s[3] : 0)), 0.0001);
    const rows = node.c.map((child, index) => {
      const s = child.s;
      const bar = make("td", { class: "bar", "aria-hidden": "true" });
      if (typeof s[3] === "number") bar.append(make("i", { style: "width:" + (s[3] / top) * 100 + "%" }));
      return make("tr", {},
        make("td", {}, make("a", { href: address([...steps, index]) }, make("bdi", {}, label(child)))),
        number(s[0], count(s[0])), number(s[1], count(s[1])), number(s[2], count(s[2])), number(s[3], percent(s[3]), "main"), bar,
        number(s[4], percent(s[4])), number(s[5], count(s[5])), number(s[6], count(s[6])), number(s[7], count(s[7])), number(s[8], count(s[8])), number(s[9], count(s[9])), number(s[10], count(s[10])));
    });
    const table = make("table", { class: "data" },
      head([levels[steps.length]], ["Segments", 1], ["Edits", 1], ["Words", 1], ["HTER", 1], [""], ["First pass", 1], ["Ins", 1], ["Del", 1], ["Sub", 1], ["Shift", 1], ["Ties", 1], ["Open or preliminary", 1]),
      make("tbody", {}, ...rows));
    return make("div", { class: "scroll", tabindex: "0" }, table);
  }

  const fraction = (s) => (s ? count(s[0]) + "\u202f/\u202f" + count(s[1]) : "–");

  async function segments(node, nodes) {
    const name = [nodes[1].set, nodes[1].n, nodes[2].n, nodes[3].n, node.n].join("\u001f");
    const parts = await Promise.all(node.b.map(block));
    const list = parts.flatMap((part) => part[name] || []);
    const teams = Math.max(0, ...list.map((segment) => segment.teams.length));
    const rows = list.map((segment) => {
      const s = segment.s;
      const isOpen = segment.out === "open";
      const cells = [make("td", {}, make("bdi", {}, segment.id), ...(segment.x ? [" ", make("span", { class: "badge" }, "scribe error")] : []), ...(segment.m ? [" ", make("span", { class: "badge" }, "missing")] : [])),
        number(isOpen ? null : s[0], isOpen ? "" : count(s[0])), number(isOpen ? null : s[1], isOpen ? "" : count(s[1])), number(isOpen ? null : s[2], isOpen ? "open" : percent(s[2]), "main")];
      for (let index = 0; index < teams; index++) {
        const team = segment.teams[index];
        cells.push(number(team && team.final ? team.final[2] : null, team ? team.t + "  " + fraction(team.final) : ""));
      }
      cells.push(make("td", {}, segment.why));
      const row = make("tr", { class: "seg", tabindex: 0, "aria-expanded": "false", on: {
        click: (event) => { if (!String(getSelection())) toggle(row, segment, cells.length); event.stopPropagation(); },
        keydown: (event) => { if (event.key === "Enter" || event.key === " ") { event.preventDefault(); toggle(row, segment, cells.length); } } } }, ...cells);
      return row;
    });
    const table = make("table", { class: "data" },
      head(["Segment"], ["Edits", 1], ["Words", 1], ["HTER", 1], ...Array.from({ length: teams }, (_, index) => ["Team listed " + ["first", "second", "third", "fourth"][index], 1]), ["Choice"]),
      make("tbody", {}, ...rows));
    const div = make("div", {}, legend(), make("div", { class: "scroll", tabindex: "0" }, table));
    list.forEach((segment, index) => {
      if (rows.length === 1 || location.search === "?open" || segment.id === wanted) toggle(rows[index], segment, rows[index].cells.length);
    });
    wanted = null;
    return div;
  }

  function legend() {
    const sample = (kind, moved, word, text) => make("span", {}, make("span", { class: "align" }, column([kind, kind === "D" ? "" : word, kind === "D" ? word : "", moved])), text);
    return make("p", { class: "legend" },
      sample("I", 0, "word", "only in the output"), sample("D", 0, "word", "only in the final text"),
      sample("S", 0, "word", "another word in the final text"), sample(" ", 1, "word", "moved, by shift 1"));
  }

  // What scoring/columns.py packed: each column as [kind, output word, text word, number of the shift or 0].
  function unpacked([outputs, texts, steps, shifts]) {
    const words = outputs.split(" "), others = texts.split(" ");
    let word = 0, other = 0;
    return [...steps].map((kind) => {
      const moved = kind === "D" || !shifts ? 0 : shifts[word];
      return [kind, kind === "D" ? "" : words[word++], kind === "I" ? "" : others[other++], moved];
    });
  }

  function column([kind, output, text, moved]) {
    const mark = (moved ? "⇄" + moved : "") + (kind === " " ? "" : (moved ? " " : "") + kind);
    return make("span", { class: (kind === " " ? "M" : kind) + (moved ? " moved" : "") },
      output || text ? make("b", {}, make("bdi", {}, output)) : null,
      make("u", {}, make("bdi", {}, text)), make("i", { class: "mark" }, mark));
  }

  function toggle(row, segment, width) {
    const open = row.classList.toggle("open");
    row.setAttribute("aria-expanded", open);
    if (open) row.after(make("tr", { class: "detail" }, make("td", { colspan: width }, panel(segment))));
    else if (row.nextElementSibling && row.nextElementSibling.classList.contains("detail")) row.nextElementSibling.remove();
  }

  const text = (title, content) => [make("span", { class: "label" }, title), make("p", { class: "text", dir: "auto" }, content === "" ? "(empty)" : content)];

  function panel(segment) {
    const parts = [segment.other ? make("p", { class: "note" }, "Under the other denominator: " + segment.other + ".") : null,
      ...text("Reference", segment.r), ...text("Output", segment.o)];
    segment.teams.forEach((team, index) => {
      const won = segment.ch === index;
      const title = make("h4", {}, make("bdi", {}, team.t), make("span", { class: "rate" }, team.final ? fraction(team.final) + " = " + percent(team.final[2]) : "no final text yet"));
      if (team.who) title.append(make("span", { class: "code" }, team.who));
      if (won) title.append(make("span", { class: "badge won" }, segment.out === "tie" ? "counts, tie" : "counts"));
      const div = make("div", { class: "team" + (won ? " won" : "") }, title);
      if (team.a) div.append(make("div", { class: "align" }, ...unpacked(team.a).map(column)));
      if (segment.out === "no output") div.append(make("p", { class: "note" }, "There was nothing to edit."));
      else if (team.first) {
        const line = make("p", { class: "note" }, "First pass " + fraction(team.first) + " = " + percent(team.first[2]) + (team.f === null ? "; the review left it unchanged." : ":"));
        div.append(line);
        if (team.f !== null && team.f !== undefined) div.append(make("p", { class: "text", dir: "auto" }, team.f === "" ? "(empty)" : team.f));
      }
      parts.push(div);
    });
    return make("div", { class: "panel" }, ...parts);
  }

  // ---- a row that names a segment leads to it
  document.querySelectorAll('table[data-name="worst-segments"], table[data-name="best-segments"]').forEach((table) => {
    const keys = [...table.tHead.rows[0].cells].map((head) => head.dataset.key);
    for (const row of table.tBodies[0].rows) {
      const named = Object.fromEntries(keys.map((name, index) => [name, row.cells[index].textContent]));
      const place = (list, test) => (list || []).findIndex(test);
      const s = place(root.c, (node) => node.n === named.system && node.set === (named.set || node.set));
      const g = place(root.c[s]?.c, (node) => node.n === named.genre);
      const k = place(root.c[s]?.c[g]?.c, (node) => node.n === named.kit);
      const d = place(root.c[s]?.c[g]?.c[k]?.c, (node) => node.n === named.document);
      if (Math.min(s, g, k, d) < 0) continue;
      const cell = row.cells[keys.indexOf("segment")];
      cell.replaceChildren(make("a", { href: address([s, g, k, d]), on: { click: () => { wanted = named.segment; } } }, cell.textContent));
    }
  });

  addEventListener("hashchange", () => { if (/^#explore/.test(location.hash)) { show(); document.getElementById("explore").scrollIntoView(); } });
  show();
})();
