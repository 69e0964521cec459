// One tab's session with the server: what is open, what runs, and which streams are followed.
import { Story } from "./story.js";
import { Refused, Wire } from "./wire.js";

const KEPT = "spotter.conversation";

export class Session {
  constructor(page) {
    this.page = page;
    this.wire = new Wire("", {
      token: () => page.token,
      csrf: () => page.csrf,
      expired: () => page.expired(),
    });
    this.ready = false;
    this.skew = 0;
    this.past = [];
    this.ideas = [];
    this.#reset(null);
    this.elsewhere = [];
  }

  #reset(conversation) {
    this.followed?.forEach((stop) => stop.abort());
    this.followed = new Map();
    this.story = new Story();
    this.conversation = conversation;
    this.title = "";
    this.offer = null;
    this.stopping = false;
    this.undone = new Map();
  }

  /** The time as the server has it: a browser's clock may be wrong, and a demo's is another day's. */
  now() {
    return Date.now() + this.skew;
  }

  /** Every open question, here and elsewhere. */
  get open() {
    const here = [...this.story.turns.values()].flatMap((turn) => turn.items);
    return [...here, ...this.elsewhere].filter((item) => item.type === "card" && !item.settled);
  }

  async begin() {
    this.wire.base = this.page.base;
    this.life = new AbortController();
    this.#followPerson();
    if (!Object.keys(this.page.words).length) this.page.words = await this.wire.get("/chat/words");
    await this.#try(async () => {
      const now = await this.#askOpen();
      const kept = sessionStorage.getItem(KEPT);
      await this.#load(kept === "new" ? null : (kept ?? now.conversation_id));
      this.#list(now.questions);
    });
    this.#askIdeas();
    this.ready = true;
    this.page.changed();
  }

  end() {
    this.life?.abort();
    this.followed.forEach((stop) => stop.abort());
  }

  fresh() {
    this.#reset(null);
    sessionStorage.setItem(KEPT, "new");
    this.refreshOpen();
    this.#askIdeas();
    this.page.changed();
    this.page.leave();
  }

  /** What is worth a look from this page: chips, each of which starts a turn. */
  async #askIdeas() {
    await this.#try(async () => {
      const page = encodeURIComponent(this.page.where);
      this.ideas = (await this.wire.get(`/chat/playbooks?page=${page}`)).playbooks;
    });
    this.page.changed();
  }

  async openConversation(id) {
    await this.#try(() => this.#load(id));
    await this.refreshOpen();
    this.page.changed();
  }

  async loadPast() {
    await this.#try(async () => {
      this.past = (await this.wire.get("/chat/conversations")).conversations;
    });
  }

  async #load(id) {
    this.#reset(id);
    if (!id) return;
    let kept;
    try {
      kept = await this.wire.get(`/chat/conversations/${id}`);
    } catch (error) {
      if (!(error instanceof Refused) || error.status !== 404) throw error;
      sessionStorage.removeItem(KEPT); // erased meanwhile, or another person's tab
      this.#reset(null);
      return;
    }
    sessionStorage.setItem(KEPT, id);
    this.title = kept.title ?? "";
    const undone = (this.undone = new Map(Object.entries(kept.undone)));
    for (const { turn_id: turn, events, last } of kept.turns) {
      this.story.turn(turn);
      events.forEach((event) => this.story.apply(turn, event));
      this.story.turn(turn).last = last;
      for (const item of this.story.turn(turn).items) {
        const view = undone.get(item.view?.undo?.call_id);
        if (view) Object.assign(item, { view, undone: true });
        if (item.view?.task_id) this.#askTask(item.view.task_id);
      }
      if (!this.story.turn(turn).over && !this.story.turn(turn).asked) this.#follow(turn);
    }
  }

  say(text) {
    this.saying = this.#say(text, "/chat/messages", { text });
    return this.saying;
  }

  /** Start a turn from a playbook, as if its name had been said. */
  start({ name, title }) {
    this.saying = this.#say(title, `/chat/playbooks/${name}`, {});
    return this.saying;
  }

  async #say(text, path, own) {
    const local = this.story.saidHere("local", text);
    this.page.changed();
    await this.#try(
      async () => {
        const { where: page, selection } = this.page;
        const body = { ...own, page, selection: selection ?? undefined };
        if (this.conversation) body.conversation_id = this.conversation;
        const accepted = await this.wire.post(path, body);
        this.#drop(local);
        this.conversation = accepted.conversation_id;
        sessionStorage.setItem(KEPT, accepted.conversation_id);
        if (accepted.settled) this.#settle(accepted.settled);
        if (accepted.text) this.#refuse(accepted.text);
        if (accepted.ideas) this.#offer(text, accepted.ideas);
        if (accepted.undone) this.#tookBack(text, accepted.undone);
        if (!accepted.turn_id) return;
        this.story.saidHere(accepted.turn_id, text);
        this.#goOn();
        this.#follow(accepted.turn_id);
      },
      (message) => {
        this.#drop(local);
        const turn = this.story.saidHere(`unsent.${this.story.turns.size}`, text);
        turn.items.push({ type: "error", id: "unsent", text: message });
        Object.assign(turn, { running: false, over: true });
      },
    );
    this.page.changed();
  }

  /** Asked for by the word: the chips, below it. */
  #offer(text, ideas) {
    const turn = this.story.saidHere(`ideas.${this.story.turns.size}`, text);
    turn.items.push({ type: "ideas", id: "ideas", ideas });
    Object.assign(turn, { running: false, over: true });
  }

  /** Taken back by the word: its receipt shows that, and so does a line under the word. */
  #tookBack(text, { call_id: id, view, ok }) {
    const told = view.title ?? view.lines?.[0] ?? "";
    if (ok) {
      for (const turn of this.story.turns.values())
        for (const item of turn.items)
          if (item.type === "call" && item.view?.undo?.call_id === id)
            Object.assign(item, { view, undone: true });
      if (this.offer?.call_id === id) this.offer = null;
    }
    const turn = this.story.saidHere(`undone.${this.story.turns.size}`, text);
    turn.items.push({ type: "line", id: "undone", text: told });
    Object.assign(turn, { running: false, over: true });
    this.page.changed({ say: told, wrote: ok });
  }

  /** What was typed could mean either: the open card says so, and stays. */
  #refuse(text) {
    for (const card of this.open) card.refusal = text;
  }

  async answer(card, choice) {
    if (card.busy || card.settled) return;
    card.busy = true;
    card.refusal = "";
    this.page.changed();
    await this.#try(
      async () => {
        const told = await this.wire.post(`/chat/questions/${card.id}/answers`, { choice });
        if (told.settled) this.#settle(told.settled);
        else card.refusal = told.text;
      },
      (message) => (card.refusal = message),
    );
    card.busy = false;
    this.page.changed();
    this.page.leave();
  }

  async stop() {
    let turn = this.story.stoppable;
    if (!turn || this.stopping) return;
    this.stopping = true;
    this.page.changed();
    if (turn.id === "local") {
      await this.saying; // the server hasn't named the turn yet
      turn = this.story.running && this.story.stoppable;
    }
    if (turn) await this.#try(() => this.wire.post(`/chat/turns/${turn.id}/stop`));
    this.stopping = false;
    this.page.changed();
  }

  async undo(offer, call) {
    if (offer.busy) return;
    offer.busy = true;
    if (call) call.undoing = true;
    this.page.changed();
    await this.#try(
      async () => {
        const { view } = await this.wire.post(`/chat/calls/${offer.call_id}/undo`);
        if (call) Object.assign(call, { view, undone: true, ok: view.kind === "undone" });
        if (this.offer?.call_id === offer.call_id) this.offer = null;
        this.page.changed({ say: view.lines?.[0], wrote: true });
      },
      (message) => this.#tell(call, message),
    );
    offer.busy = false;
    if (call) call.undoing = false;
    this.page.changed();
  }

  #tell(call, message) {
    this.dropToast();
    if (call?.view) call.view = { ...call.view, lines: [...(call.view.lines ?? []), message] };
    this.page.changed({ say: message });
  }

  dropToast() {
    this.offer = null;
    this.page.changed();
  }

  #drop(turn) {
    this.story.turns.delete(turn.id);
  }

  /** Whatever asked may go on now: a card was answered, or newer words closed it. */
  #goOn() {
    for (const turn of this.story.turns.values()) if (turn.asked) this.#follow(turn.id);
  }

  #follow(id) {
    if (this.followed.has(id)) return;
    const stop = new AbortController();
    this.followed.set(id, stop);
    const turn = this.story.turn(id);
    const asked = turn.asked;
    Object.assign(turn, { running: true });
    const path = `/chat/turns/${id}/events`;
    const each = (event, at) => this.#took(id, event, at);
    const line = (there) => this.#line(there);
    this.wire
      .follow(path, { from: turn.last, each, signal: stop.signal, line })
      .catch(() => {})
      .finally(() => {
        if (this.followed.get(id) !== stop) return;
        this.followed.delete(id);
        if (turn.running) Object.assign(turn, { running: false, asked });
        this.page.changed();
      });
  }

  #took(id, event, at) {
    const turn = this.story.turn(id);
    const acts = this.story.apply(id, event, at);
    if (acts.undo && new Date(acts.undo.until) > this.now()) {
      this.offer = { ...acts.undo, call: turn.find("call", acts.undo.tool_call_id) };
    }
    if (event.name === "card_settled") this.#settle(event.value);
    if (acts.task) this.#askTask(acts.task);
    if (event.type === "RUN_STARTED") this.#draw();
    else this.#draw({ say: acts.say, asks: acts.asks, wrote: acts.changed });
  }

  /** One painting a frame, however fast the words come. */
  #draw(what = {}) {
    this.due = { ...this.due, ...Object.fromEntries(Object.entries(what).filter(([, it]) => it)) };
    if (this.frame) return;
    this.frame = requestAnimationFrame(() => {
      const due = this.due;
      this.frame = this.due = null;
      this.page.changed(due);
    });
  }

  #followPerson() {
    const each = (event) => {
      if (event.name === "card_settled") this.#settle(event.value);
      if (event.name === "turn_begun") this.#begun(event.value);
      if (event.name === "task_progress") this.#moved(event.value);
      if (event.name === "question_opened" && event.value.conversation_id !== this.conversation)
        this.refreshOpen();
      if (event.name === "titled") this.#titled(event.value);
      this.#draw({ wrote: event.name === "turn_ended" && !this.followed.has(event.value.turn_id) });
    };
    const line = (there) => this.#line(there);
    this.wire
      .follow("/chat/events", { each, signal: this.life.signal, line })
      .catch(() => this.#line(false));
  }

  #begun({ conversation_id: conversation, turn_id: turn }) {
    if (conversation !== this.conversation || this.story.turns.get(turn)?.over) return;
    this.#goOn();
    this.#follow(turn);
  }

  #titled({ conversation_id: conversation, title }) {
    if (conversation === this.conversation) this.title = title;
    const listed = this.past.find((one) => one.id === conversation);
    if (listed) listed.title = title;
  }

  /** A task of the background got further, or ended: with what is said of it aloud. */
  #moved(value) {
    const call = this.story.progress(value);
    const ended = value.view.kind !== "progress";
    if (call && this.undone.has(value.call_id)) call.undone = true;
    if (call && ended) this.page.changed({ say: value.view.lines?.[0], wrote: true });
  }

  /** How far a task is now: a turn tells only that it began. */
  async #askTask(id) {
    await this.#try(async () => this.#moved(await this.wire.get(`/background-tasks/${id}`)));
    this.page.changed();
  }

  async stopTask(call) {
    call.stopping = true;
    this.page.changed();
    const path = `/background-tasks/${call.view.task_id}/cancel`;
    await this.#try(async () => this.#moved(await this.wire.post(path)));
    call.stopping = false;
    this.page.changed();
  }

  #settle(value) {
    this.story.settle(value);
    for (const card of this.elsewhere) if (card.id === value.question_id) card.settled ??= value;
    this.#goOn();
  }

  async refreshOpen() {
    await this.#try(async () => this.#list((await this.#askOpen()).questions));
    this.page.changed();
  }

  async #askOpen() {
    const found = await this.wire.get("/chat/open");
    this.skew = new Date(found.now) - Date.now();
    return found;
  }

  /** Questions that were asked in another conversation or on the phone. */
  #list(questions) {
    const inTurns = [...this.story.turns.values()].flatMap((turn) => turn.items);
    const here = new Set(inTurns.map((item) => item.id));
    const known = new Map(this.elsewhere.map((card) => [card.id, card]));
    this.elsewhere = questions
      .filter((one) => one.conversation_id !== this.conversation && !here.has(one.question_id))
      .map((one) => known.get(one.question_id) ?? {
        type: "card",
        id: one.question_id,
        kind: one.view.kind,
        view: one.view,
        until: one.until,
        tag: one.asked_where,
        chosen: new Set(),
        settled: null,
      });
  }

  #line(there) {
    clearTimeout(this.awayTimer);
    if (there) this.page.away = false;
    else this.awayTimer = setTimeout(() => (this.page.away = true), 2500);
  }

  async #try(act, otherwise = () => {}) {
    try {
      await act();
    } catch (error) {
      const message = error instanceof Refused && error.message ? error.message : this.page.words.failed;
      otherwise(message);
    }
  }
}
