// The desk around the chat: which half a phone shows, what is chosen, and a schedule that follows what was done.
const chat = document.querySelector("spotter-chat");
const schedule = document.querySelector("#schedule");

for (const button of document.querySelectorAll("[data-show]")) {
  button.addEventListener("click", () => show(button.dataset.show));
}

function show(view) {
  document.body.dataset.view = view;
  for (const button of document.querySelectorAll("[data-show]"))
    button.setAttribute("aria-pressed", String(button.dataset.show === view));
}

schedule.addEventListener("click", (event) => {
  const turn = event.target.closest("[data-week]");
  if (turn) {
    event.preventDefault();
    refresh(turn.dataset.week);
    return;
  }
  const chosen = event.target.closest(".class");
  if (chosen) choose(chosen.getAttribute("aria-pressed") === "true" ? null : chosen);
});

/** What "this class" means from now on. */
function choose(chosen) {
  const id = chosen?.dataset.id ?? null;
  chat.selection = chosen ? { type: "class_session", id, label: chosen.dataset.label } : null;
  press(id);
  if (chosen) {
    show("chat");
    chat.leave?.();
  }
}

function press(id) {
  for (const one of schedule.querySelectorAll(".class"))
    one.setAttribute("aria-pressed", String(one.dataset.id === id));
}

chat.addEventListener("spotter-expired", () => location.assign("/sign-in"));
chat.addEventListener("spotter-unselected", () => press(null));
chat.addEventListener("spotter-changed", () => refresh(schedule.querySelector(".week").dataset.from));

let asked = 0;
let shown = "";

/** The week anew, from the server; what looks different now glows for a moment. */
async function refresh(from) {
  const turn = ++asked;
  const address = schedule.dataset.address + (from ? `?from=${encodeURIComponent(from)}` : "");
  const answer = await fetch(address, { headers: { Accept: "text/html" } }).catch(() => null);
  if (!answer?.ok || turn !== asked) return;
  const text = await answer.text();
  if (text === shown) return; // what glows goes on glowing
  shown = text;
  const old = new Map([...schedule.querySelectorAll(".class")].map((one) => [one.dataset.id, one.textContent]));
  const sameWeek = schedule.querySelector(".week").dataset.from === from;
  const fresh = new DOMParser().parseFromString(text, "text/html").querySelector(".week");
  schedule.replaceChildren(document.adoptNode(fresh));
  chat.page = `${schedule.dataset.address}?from=${fresh.dataset.from}`;
  if (sameWeek)
    for (const one of schedule.querySelectorAll(".class"))
      one.classList.toggle("changed", old.get(one.dataset.id) !== one.textContent);
  press(chat.selection?.id ?? null);
}

const settings = document.querySelector("#settings");
document.querySelector("[data-open=settings]").addEventListener("click", () => settings.showModal());
settings.querySelector("[data-close]").addEventListener("click", () => settings.close());
settings.addEventListener("click", (event) => {
  if (event.target === settings) settings.close();
});
for (const button of settings.querySelectorAll("[data-language]"))
  button.addEventListener("click", async () => {
    if ((await post("me/language", { language: button.dataset.language })).ok) location.reload();
  });
settings.querySelector("[data-code]")?.addEventListener("click", async () => {
  const answer = await post("me/phone-codes", {});
  if (answer.ok) settings.querySelector(".told").textContent = (await answer.json()).text;
});

function post(path, body) {
  const headers = { "Content-Type": "application/json", "X-CSRF-Token": chat.csrf };
  return fetch(`/api/v1/${path}`, { method: "POST", body: JSON.stringify(body), headers });
}
