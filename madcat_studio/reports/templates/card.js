"use strict";
(() => {
  const key = (cell) => {
    const v = cell.dataset.v;
    if (v === undefined) return cell.textContent.trim();
    const n = parseFloat(v);
    return Number.isNaN(n) ? -Infinity : n;
  };
  const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", { numeric: true }));
  document.querySelectorAll("table.sortable").forEach((table) => {
    const heads = [...table.tHead.rows[0].cells];
    heads.forEach((head, column) => {
      head.classList.add("sort");
      head.tabIndex = 0;
      const sort = () => {
        const falling = head.getAttribute("aria-sort") ? head.getAttribute("aria-sort") === "ascending" : head.classList.contains("n");
        heads.forEach((other) => other.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", falling ? "descending" : "ascending");
        const rows = [...table.tBodies[0].rows].map((row) => [key(row.cells[column]), row]);
        rows.sort((a, b) => (falling ? compare(b[0], a[0]) : compare(a[0], b[0])));
        table.tBodies[0].append(...rows.map((entry) => entry[1]));
      };
      head.addEventListener("click", sort);
      head.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") { event.preventDefault(); sort(); }
      });
    });
  });
  document.querySelectorAll("table.filterable").forEach((table) => {
    const box = document.createElement("input");
    box.type = "search";
    box.placeholder = "Filter rows";
    box.setAttribute("aria-label", "Filter rows");
    box.addEventListener("input", () => {
      const wanted = box.value.toLocaleLowerCase("en");
      for (const row of table.tBodies[0].rows) row.hidden = wanted !== "" && !row.textContent.toLocaleLowerCase("en").includes(wanted);
    });
    const frame = table.closest(".scroll");
    const line = document.createElement("p");
    line.className = "filter";
    line.append(box);
    frame.parentNode.insertBefore(line, frame);
  });
})();
