// Asks the engine while somebody types. A query whose files have all been loaded is answered at once. For any
// other query, the first result is fetched after a short pause and the whole answer after a longer one, so that
// few files are fetched for unfinished words. Only the answer to the latest query is shown.
import { analyse } from "./analysis.js";
import { parse } from "./parse.js";
import { LONGEST_PAUSE } from "./rhythm.js";

const WHOLE_AFTER = 250; // ms of a pause after which the whole answer is asked for
const SAY_AFTER = 300; // ms of waiting after which the reader is told that an answer is being fetched

/** @type {import("./types.d.ts").Answer} */
const NOTHING = {
  results: [], total: 0, facets: {}, expanded: [], corrected: [], suggestions: [], missing: [], query: "",
};

export class Asking {
  asked = 0; // the number of the latest query
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  timer;

  /**
   * @param {import("./types.d.ts").Deployed} engine
   * @param {import("./types.d.ts").Screen} screen shows answers
   * @param {() => import("./types.d.ts").Choices} choices
   */
  constructor(engine, screen, choices) {
    this.engine = engine;
    this.screen = screen;
    this.choices = choices;
  }

  /** Stops waiting for a pause. */
  stop() {
    clearTimeout(this.timer);
  }

  /**
   * Answers at once from the files that have been loaded, and fetches nothing. If these are all files of the
   * query, this is the whole answer, and nothing is asked after the pauses. The address of the page still
   * changes only after a pause, because browsers limit how often it may change. If files are missing, the
   * answer is shown until the whole one comes, but only if it has as many results as are listed.
   * @param {string} text
   */
  fromMemory(text) {
    const { index } = this.engine;
    if (!index.root) return;
    const found = analyse(parse(text).words);
    if (!found.slots.length) return;
    const [first] = index.firstSlots(found);
    const needed = first.flatMap((slot) => index.shards(slot, index.isPrefix(slot, found)));
    if (!needed.every((n) => index.parsed.has(`t/${n}`))) return;
    const memory = Object.create(index);
    memory.gate = undefined; // so it does not wait for files of another query
    let isLacking = false;
    memory.load = (/** @type {string} */ file) => {
      const loaded = index.loaded.has(file);
      isLacking ||= !loaded;
      return loaded ? index.promises.get(file) : Promise.resolve(null);
    };
    const mine = ++this.asked, choices = this.choices();
    memory.query(text, choices).then((/** @type {import("./types.d.ts").Answer | null} */ answer) => {
      if (!answer || mine !== this.asked) return;
      if (!isLacking) {
        this.stop();
        this.screen.show(text, answer);
        this.timer = setTimeout(() => this.screen.asked(text), WHOLE_AFTER);
      } else if (answer.total && answer.results.length === Math.min(answer.total, choices.limit)) {
        this.screen.show(text, { ...answer, missing: [], soon: true });
      }
    }, () => {});
  }

  /**
   * Asks after a pause for the first result alone, and after a longer one for the whole answer.
   * @param {string} text
   * @param {number} pause ms
   */
  later(text, pause) {
    this.timer = setTimeout(() => this.first(text), pause);
  }

  /**
   * Asks for the first result alone, which takes few requests.
   * @param {string} text
   */
  first(text) {
    this.stop();
    const mine = ++this.asked, show = this.painter(text, mine);
    const rest = this.timer = setTimeout(() => this.whole(text), WHOLE_AFTER - LONGEST_PAUSE);
    const few = { ...this.choices(), limit: 1, expand: false, facets: false, onPartial: show };
    this.engine.query(text, few).then(
      (answer) => answer?.results.length && show({ ...answer, partial: true }),
      (problem) => this.failed(text, problem, mine, rest),
    );
  }

  /** @param {string} text */
  whole(text) {
    this.stop();
    const mine = ++this.asked;
    this.screen.asked(text);
    if (!text.trim()) return this.screen.empty(text);
    const waiting = this.timer = setTimeout(() => this.screen.wait(), SAY_AFTER);
    this.engine.query(text, { ...this.choices(), onPartial: this.painter(text, mine) }).then(
      (answer) => {
        clearTimeout(waiting);
        if (answer && mine === this.asked) this.screen.show(text, answer);
      },
      (problem) => this.failed(text, problem, mine, waiting),
    );
  }

  /**
   * Returns a function that shows first results of a query, unless another query was asked since or an answer
   * is shown already. If no answer was shown before, the function returns a promise, and nothing more is
   * fetched before these results are painted.
   * @param {string} text
   * @param {number} mine
   */
  painter(text, mine) {
    return (/** @type {import("./types.d.ts").Answer} */ answer) => {
      if (mine !== this.asked || this.screen.shown.text === text) return null;
      const isFirst = !this.screen.shown.answer;
      this.screen.show(text, answer);
      return isFirst ? this.screen.painted() : null;
    };
  }

  /**
   * @param {string} text
   * @param {unknown} problem
   * @param {number} mine
   * @param {ReturnType<typeof setTimeout>} timer the timer of the next step, which is stopped
   */
  failed(text, problem, mine, timer) {
    clearTimeout(timer);
    console.error(problem);
    if (mine === this.asked) this.screen.show(text, { ...NOTHING, missing: ["root"] });
  }
}
