// Keeps the page up to date with the server's events. Without JavaScript the page is complete, but
// does not change by itself.
(() => {
  const now = document.getElementById("now");
  const news = document.getElementById("news");
  const page = document.querySelector("[data-container]");
  const body = document.querySelector("#board tbody");
  let source, moved = 0, announced = 0;

  // say announces what happened, at most every five seconds, so that a screen reader is not flooded.
  const say = (text, link) => {
    if (!news || Date.now() - announced < 5000) return;
    announced = Date.now();
    news.textContent = text + " ";
    if (link) {
      const a = document.createElement("a");
      a.href = location.href;
      a.textContent = link;
      news.append(a);
    }
  };

  // replace puts a row in the place of the old one, and keeps the focus in it.
  const replace = (html) => {
    const template = document.createElement("template");
    template.innerHTML = html;
    const row = template.content.querySelector("tr");
    const old = row && document.getElementById(row.id);
    if (!old) return;
    const focused = old.contains(document.activeElement);
    if (row.className !== old.className) moved++;
    row.classList.add("changed");
    old.replaceWith(row);
    if (focused) row.querySelector("a").focus();
    say(moved ? moved + " containers became more or less urgent." : "Rows have changed.", "Sort again");
  };

  const listen = () => {
    source = new EventSource(page ? "/events?container=" + encodeURIComponent(page.dataset.container) : "/events");
    source.addEventListener("clock", (e) => { now.textContent = JSON.parse(e.data); });
    source.addEventListener("row", (e) => { if (body) replace(JSON.parse(e.data)); });
    source.addEventListener("gone", (e) => {
      const row = body && document.getElementById("c-" + JSON.parse(e.data));
      if (row) row.classList.add("gone");
    });
    source.addEventListener("change", () => say("This container has changed.", "Show the change"));
  };

  // Buttons of the clock lead back to this page.
  for (const back of document.querySelectorAll("input[name=back]")) back.value = location.pathname + location.search;
  // A filter applies as soon as it is chosen.
  for (const select of document.querySelectorAll(".filters select")) {
    select.addEventListener("change", () => select.form.requestSubmit());
  }
  listen();
  addEventListener("pagehide", () => source.close());
  addEventListener("pageshow", (e) => { if (e.persisted) listen(); });
})();
