// What has been said and done, folded from AG-UI events. No DOM: the same for live, reload and replay.

/** One turn: what is shown, in order, and where its stream stands. */
export class Turn {
  constructor(id) {
    this.id = id;
    this.items = [];
    this.last = null;
    this.running = true;
    this.asked = false;
    this.over = false;
    this.next = [];
  }

  find(type, id) {
    return this.items.find((item) => item.type === type && item.id === id);
  }

  get text() {
    return this.items.find((item) => item.type === "user")?.text ?? "";
  }
}

export class Story {
  constructor() {
    this.turns = new Map();
  }

  turn(id) {
    if (!this.turns.has(id)) this.turns.set(id, new Turn(id));
    return this.turns.get(id);
  }

  get running() {
    return [...this.turns.values()].some((turn) => turn.running);
  }

  /** The turn that a Stop would stop: the one that runs, else the one that asks. */
  get stoppable() {
    const turns = [...this.turns.values()].reverse();
    return turns.find((turn) => turn.running) ?? turns.find((turn) => turn.asked);
  }

  /** Words shown before the server has them; its own version replaces them. */
  saidHere(turnId, text) {
    const turn = this.turn(turnId);
    if (turn.items.some((item) => item.type === "user" && !item.local)) return turn;
    turn.items.push({ type: "user", id: `local.${turn.items.length}`, text, local: true });
    return turn;
  }

  /** Close a card, wherever it was answered. */
  settle(value) {
    for (const turn of this.turns.values()) {
      const card = turn.find("card", value.question_id);
      if (card && !card.settled) card.settled = value;
    }
  }

  /** Show how far a task of the background is; what it ended with stays. Gives its call. */
  progress({ task_id: id, view }) {
    const calls = [...this.turns.values()].flatMap((turn) => turn.items);
    const call = calls.find((item) => item.type === "call" && item.view?.task_id === id);
    if (!call || (view.task_id && view.done < call.view.done)) return null;
    Object.assign(call, { view, ok: view.kind !== "failed" });
    return call;
  }

  /** Feed one event; returns what else a page may do about it: `{undo}`, `{say}`, `{changed}`, `{task}`. */
  apply(turnId, event, id = null) {
    const turn = this.turn(turnId);
    if (id) turn.last = id;
    const act = ACTS[event.type];
    return (act && act(turn, event)) || {};
  }
}

const ACTS = {
  RUN_STARTED(turn, event) {
    if (event.runId === `${turn.id}.0`) turn.items = [];
    Object.assign(turn, { running: true, asked: false, over: false });
  },
  TEXT_MESSAGE_START(turn, event) {
    const type = event.role === "user" ? "user" : event.name === "spotter" ? "line" : "said";
    if (!turn.find(type, event.messageId))
      turn.items.push({ type, id: event.messageId, text: "", done: false });
  },
  TEXT_MESSAGE_CONTENT(turn, event) {
    const item = spoken(turn, event.messageId);
    if (item) item.text += event.delta;
  },
  TEXT_MESSAGE_END(turn, event) {
    const item = spoken(turn, event.messageId);
    if (!item) return {};
    item.done = true;
    return item.type === "user" ? {} : { say: item.text };
  },
  TOOL_CALL_START(turn, event) {
    if (turn.find("call", event.toolCallId)) return;
    const { label = event.toolCallName, open = false } = event.metadata?.spotter ?? {};
    turn.items.push({ type: "call", id: event.toolCallId, label, open, view: null, ok: null });
  },
  TOOL_CALL_RESULT(turn, event) {
    const call = turn.find("call", event.toolCallId);
    if (!call) return {};
    const { view = null, ok = true } = event.metadata?.spotter ?? {};
    if (call.waits) turn.items = [...turn.items.filter((item) => item !== call), call]; // after its card
    Object.assign(call, { view, ok, waits: false });
    return { changed: view?.kind === "done" || view?.kind === "undone", task: view?.task_id };
  },
  RUN_FINISHED(turn, event) {
    const kind = event.outcome?.type ?? "success";
    Object.assign(turn, { running: false, asked: kind === "interrupt", over: kind !== "interrupt" });
  },
  RUN_ERROR(turn, event) {
    turn.items.push({ type: "error", id: `${turn.id}.error`, text: event.message });
    Object.assign(turn, { running: false, asked: false, over: true });
    return { say: event.message };
  },
  CUSTOM(turn, event) {
    const act = CUSTOM[event.name];
    return act ? act(turn, event.value) : {};
  },
};

const CUSTOM = {
  restart(turn, value) {
    turn.items = turn.items.filter((item) => item.id !== value.message_id);
  },
  confirmation_pending: pending,
  pick_pending: pending,
  card_settled(turn, value) {
    const card = turn.find("card", value.question_id);
    if (card) card.settled = value;
  },
  recap(turn, value) {
    turn.next = value.next ?? [];
  },
  undo_available(turn, value) {
    const call = turn.find("call", value.tool_call_id);
    return { undo: { ...value, line: call?.view?.lines?.[0] ?? value.view?.lines?.[0] ?? "" } };
  },
};

function pending(turn, value) {
  if (turn.find("card", value.question_id)) return {};
  for (const id of value.call_ids ?? []) {
    const call = turn.find("call", id);
    if (call) call.waits = true;
  }
  const { question_id: id, kind, view, until, call_ids: calls = [] } = value;
  turn.items.push({ type: "card", id, kind, view, until, calls, chosen: new Set(), settled: null });
  return { asks: id, say: view.title ?? "" };
}

function spoken(turn, id) {
  return turn.items.find((item) => item.id === id && item.type !== "call" && item.type !== "card");
}
