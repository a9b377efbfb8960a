// Keeps the page up to date. Without JavaScript the page is complete, but does not change by itself.
// All tabs of a browser share one stream of the server's events: the tab that holds the lock has it,
// and passes each beat on.
(() => {
  const silence = 5000; // milliseconds without a beat after which the board is gone
  const byID = (id) => document.getElementById(id);
  const container = document.querySelector("[data-container]");
  const channel = new BroadcastChannel("board");
  const title = document.title;
  let version = document.body.dataset.version;
  let pause = 500; // milliseconds between two readings of the page: more where one takes long
  let wanted = version, reading = false, read = 0;
  let heard = Date.now(), lostAt = 0, tried = 0, announced = 0;
  let letGo, waiting;

  const setText = (id, text) => { if (byID(id).textContent !== text) byID(id).textContent = text; };
  // alarm reads a problem to those who do not see it: again only if more than numbers are different.
  const alarm = () => {
    const text = byID("lost").textContent + byID("problem").textContent;
    document.title = (text ? "! " : "") + title;
    if (text.replace(/\d+/g, "") !== byID("alert").textContent.replace(/\d+/g, "")) setText("alert", text);
  };
  // say announces what happened, at most every five seconds, so that a screen reader is not flooded.
  const say = (text, link) => {
    if (Date.now() - announced < 5000) return;
    announced = Date.now();
    byID("news").textContent = text + " ";
    if (!link) return;
    const a = document.createElement("a");
    a.href = location.href;
    a.textContent = link;
    byID("news").append(a);
  };

  // progress says how much has been read, until everything has been once.
  const progress = (beat) => {
    const reading = byID("reading");
    if (!reading?.firstChild) return;
    if (!beat.partial) reading.replaceChildren();
    else reading.querySelector(".progress").textContent = beat.age;
  };

  const onBeat = (beat) => {
    heard = Date.now();
    lostAt = 0;
    setText("lost", "");
    setText("now", beat.now);
    setText("age", beat.age);
    setText("problem", beat.problem);
    alarm();
    progress(beat);
    if (!container) {
      wanted = beat.version;
      refresh();
    } else if (beat.many || beat.ids.includes(container.dataset.container)) {
      say(beat.many ? "Many containers have changed." : "This container has changed.", "Show the change");
    }
  };

  // refresh reads the page again if the server has another version, and takes over what differs.
  const refresh = async () => {
    if (wanted === version || reading || document.hidden) return;
    const early = read + pause - Date.now();
    if (early > 0) {
      setTimeout(refresh, early);
      return;
    }
    reading = true;
    read = Date.now();
    try {
      const response = await fetch(location.href, { signal: AbortSignal.timeout(10000) });
      if (response.ok) take(new DOMParser().parseFromString(await response.text(), "text/html"));
    } catch { // the next beat tries again, and without one the page says so
    }
    pause = Math.min(5000, Math.max(500, 4 * (Date.now() - read)));
    reading = false;
  };

  const take = (fresh) => {
    version = fresh.body.dataset.version;
    for (const id of ["reading", "counts", "caption", "pages"]) renew(byID(id), fresh.getElementById(id));
    const [changed, added] = merge(document.querySelector("#board tbody"), fresh.querySelector("#board tbody"));
    if (changed + added) say([changed && changed + " changed", added && added + " new"].filter(Boolean).join(", ") + " on this page.");
  };

  // renew replaces what is in an element, and keeps the focus on the link that has it.
  const renew = (old, fresh) => {
    if (old.innerHTML === fresh.innerHTML) return;
    const focused = old.contains(document.activeElement) && document.activeElement.textContent.replace(/[\d,]+/g, "");
    old.innerHTML = fresh.innerHTML;
    if (focused) [...old.querySelectorAll("a")].find((a) => a.textContent.replace(/[\d,]+/g, "") === focused)?.focus();
  };

  // merge makes the rows of a table those of another. Rows that are equal stay, and so does the focus;
  // if its row is gone, it goes to the one in its place.
  const merge = (body, fresh) => {
    let changed = 0, added = 0, at = body.firstElementChild;
    const focused = document.activeElement.closest("#board tbody tr")?.id;
    const place = [...body.children].findIndex((row) => row.id === focused);
    const old = new Map([...body.children].map((row) => [row.id, row]));
    for (const row of [...fresh.children]) {
      const before = old.get(row.id);
      const same = before && (before.plain ?? before.outerHTML) === row.outerHTML;
      row.plain = row.outerHTML;
      if (!same && row.id) {
        before ? changed++ : added++;
        row.classList.add("changed");
      }
      const put = same ? before : row;
      if (at === put) {
        at = at.nextElementSibling;
        continue;
      }
      if (before && !same) {
        if (at === before) at = at.nextElementSibling;
        before.remove();
      }
      body.insertBefore(put, at);
    }
    while (at) {
      const next = at.nextElementSibling;
      at.remove();
      at = next;
    }
    if (focused && !document.activeElement.closest("#board tbody")) {
      (byID(focused) ?? body.children[Math.min(place, body.children.length - 1)])?.querySelector("a").focus();
    }
    return [changed, added];
  };

  const open = () => {
    const stream = new EventSource("/events");
    stream.addEventListener("beat", (e) => {
      const beat = JSON.parse(e.data);
      channel.postMessage(beat);
      onBeat(beat);
    });
    return stream;
  };
  // lead opens the stream once no other tab has it; with steal, at once. A browser without locks,
  // because the page is neither encrypted nor local, has a stream for each tab.
  const lead = async (steal) => {
    let stream;
    const hold = () => new Promise((resolve) => {
      stream = open();
      letGo = () => {
        stream.close();
        resolve();
      };
    });
    if (!navigator.locks) {
      letGo?.();
      hold();
      return;
    }
    waiting?.abort();
    waiting = new AbortController();
    try {
      await navigator.locks.request("board", steal ? { steal } : { signal: waiting.signal }, hold);
    } catch { // it was stolen, or is not waited for any longer
      stream?.close();
    }
  };
  const leave = () => {
    waiting?.abort();
    letGo?.();
  };

  // Without a beat, the board is gone, or the tab that had the stream sleeps.
  const listen = () => {
    if (Date.now() - heard < silence || document.hidden) return;
    if (!lostAt) lostAt = heard;
    const since = new Date(lostAt).toISOString().slice(0, 19).replace("T", " ") + " UTC";
    setText("lost", "The board does not answer since " + since + ". What is shown is from before. Is terminal49-mirror board still running?");
    alarm();
    if (Date.now() - tried > silence) {
      tried = Date.now();
      lead(true);
    }
  };
  channel.onmessage = (e) => onBeat(e.data);
  // Buttons of the clock lead back to this page.
  for (const back of document.querySelectorAll("input[name=back]")) back.value = location.pathname + location.search;
  // Keys move between the rows of a list, from a row or from the link that skips to them.
  const step = { ArrowDown: (at) => at + 1, ArrowUp: (at) => at - 1, Home: () => 0, End: (at, most) => most };
  addEventListener("keydown", (e) => {
    const root = document.documentElement.classList, on = document.activeElement ?? document.body;
    root.toggle("quiet", e.key === "Escape");
    if (e.key === "Escape") on.closest("details[open]")?.removeAttribute("open");
    if (!step[e.key] || !on.closest("#rows") || e.ctrlKey || e.altKey || e.metaKey || e.shiftKey) return;
    const links = [...document.querySelectorAll("#rows th a")], most = links.length - 1;
    const at = links.indexOf(on.closest("tr")?.querySelector("th a"));
    e.preventDefault();
    links[Math.min(most, Math.max(0, step[e.key](at, most)))]?.focus();
  });
  // "/" goes to the search, as on other sites.
  addEventListener("keydown", (e) => {
    const find = document.querySelector("input[type=search]");
    if (e.key !== "/" || !find || e.target.closest("input, select")) return;
    e.preventDefault();
    find.select();
  });
  addEventListener("pointermove", () => document.documentElement.classList.remove("quiet"));
  // A cell that ends with "…" shows its text under the pointer.
  addEventListener("mouseover", (e) => {
    const cell = e.target.closest("#rows td:not(.situation)");
    if (cell && cell.scrollWidth > cell.clientWidth) cell.title = cell.textContent;
  });
  // A filter applies as soon as it is chosen.
  for (const select of document.querySelectorAll(".filters select")) {
    select.addEventListener("change", () => select.form.requestSubmit());
  }
  alarm();
  lead();
  setInterval(listen, 1000);
  addEventListener("visibilitychange", () => { if (!container) refresh(); });
  addEventListener("pagehide", leave);
  addEventListener("pageshow", (e) => { if (e.persisted) lead(); });
})();
